import type { ToolRegistry } from '../core/registry.ts';
import type { Tool } from '../core/tool.ts';
import { createBashTool } from './bash.ts';
import { createEditFileTool } from './edit-file.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { createReadFileTool } from './read-file.ts';
import { createWriteFileTool } from './write-file.ts';

export interface SetupOptions {
  /** WriteFile and EditFile. Default false. */
  readonly allowWrite?: boolean;
  /** Bash. Default false. */
  readonly allowBash?: boolean;
  /** The deadline of a command where the model names none. Default 30,000. */
  readonly bashTimeoutMs?: number;
}

/** Registers every tool and switches off those that are not allowed, so that a call of one learns why. Reading and searching are always on. */
export function setupTools(registry: ToolRegistry, options: SetupOptions = {}): ToolRegistry {
  for (const tool of createAllTools(options)) registry.register(tool);
  if (options.allowWrite !== true) registry.disable('WriteFile', 'allowWrite').disable('EditFile', 'allowWrite');
  if (options.allowBash !== true) registry.disable('Bash', 'allowBash');
  return registry;
}

/** A new instance of each built-in tool, in the order in which models see them. */
export function createAllTools({ bashTimeoutMs }: Pick<SetupOptions, 'bashTimeoutMs'> = {}): readonly Tool[] {
  return [
    createReadFileTool(),
    createWriteFileTool(),
    createEditFileTool(),
    createBashTool(bashTimeoutMs === undefined ? {} : { timeoutMs: bashTimeoutMs }),
    createGlobTool(),
    createGrepTool(),
    // Each checks its own input before anything typed sees it.
  ] as readonly Tool[];
}
