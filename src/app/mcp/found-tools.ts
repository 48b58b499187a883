import type { ToolRegistry } from '../../core/registry.ts';
import { createCallTool } from '../../mcp/client/call-tool.ts';
import { createFindTool } from '../../mcp/client/find-tool.ts';
import type { ServerConfig } from '../../mcp/client/server-config.ts';
import { serverToolName } from '../../mcp/client/tool-name.ts';

/** Schemas of all servers together up to this are told to the model as they are; more of them stay behind FindTool. */
const MAX_OFFERED_BYTES = 6000;

/**
 * Registers what finds and calls tools that no request tells of. Both are there from the start and never change, whichever servers come
 * and go: the beginning of each request stays the same to the byte. `late` gives the names of servers that are not there.
 */
export function registerFinding(
  registry: ToolRegistry,
  configs: readonly ServerConfig[],
  late: (signal: AbortSignal) => Promise<readonly string[]>,
): void {
  registry.register(createFindTool({ registry, servers: configs.map(({ name }) => name), missing: late }));
  registry.register(createCallTool());
}

/** Before the first request: offers the tools that are there where they are few, in the order of the configuration. */
export function offerFew(registry: ToolRegistry, configs: readonly ServerConfig[]): void {
  const tools = registry.list({ category: 'mcp' });
  const size = tools.reduce((sum, { name, description, inputSchema }) => sum + bytesOf({ name, description, inputSchema }), 0);
  if (size > MAX_OFFERED_BYTES) return;
  for (const config of configs) {
    const prefix = serverToolName(config.name, 'x').slice(0, -1);
    for (const { name } of tools) if (name.startsWith(prefix)) registry.offer(name);
  }
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
