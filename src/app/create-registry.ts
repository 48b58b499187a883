import { type RegistryOptions, ToolRegistry } from '../core/registry.ts';
import { TOOL_FORMATS } from '../providers/tool-formats.ts';

/** An empty registry that can render every dialect. */
export function createRegistry(options: Pick<RegistryOptions, 'toolNames'> = {}): ToolRegistry {
  return new ToolRegistry({ renderers: TOOL_FORMATS, ...options });
}
