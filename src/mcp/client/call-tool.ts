import { defineTool } from '../../core/define-tool.ts';
import type { Tool } from '../../core/tool.ts';
import { fail } from '../../core/tool-result.ts';

interface CallInput {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Stands for every tool that FindTool finds: a call of it is one of that tool, to the gate, to hooks and to people. */
export function createCallTool(): Tool<CallInput> {
  const tool: Tool<CallInput> = defineTool({
    name: 'CallTool',
    description: `Calls a tool of an MCP server by its name, with an input as its schema says.
Use it for a tool that FindTool has found; what stands in your list, call itself.
Returns what that tool returns, at most 100,000 characters; the rest stands in a file that is named. It needs the same permissions as that tool.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name as FindTool gave it: mcp__server__tool.' },
        input: {
          type: 'object',
          properties: {},
          additionalProperties: true,
          description: 'The input of that tool. Default: {}.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    category: 'agent',
    aliases: { snakeCase: 'call_tool', keys: { arguments: 'input', args: 'input', tool: 'name' } },
    subject: ({ name }) => name,
    execute: async () => fail('CallTool calls another tool; name one that FindTool has found.'),
  });
  return Object.freeze({ ...tool, standsFor: ({ name, input = {} }: CallInput) => ({ name, input }) });
}
