import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { dirname } from 'node:path';
import { BUILT_COMMAND } from '../built-command.ts';
import type { Scratch } from './run-wield.ts';

export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** What a person does with a form. */
export type FormAnswer = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string> };

export interface ConnectedClient {
  readonly client: Client;
  readonly pid: number;
  /** What the server said on stderr so far. */
  stderr(): string;
  /** Each call's text, whether it failed, and what else came. */
  call(
    name: string,
    input: object,
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly keys: readonly string[] }>;
}

/** Starts `wield mcp serve` in a scratch folder, as an editor would. */
export async function connectClient(
  scratch: Scratch,
  era: Era,
  { args = [], onForm }: { readonly args?: readonly string[]; onForm?(message: string): FormAnswer | Promise<FormAnswer> } = {},
): Promise<ConnectedClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BUILT_COMMAND, 'mcp', 'serve', ...args],
    cwd: scratch.root,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: scratch.home },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  const client = new Client(
    { name: 'test-editor', version: '1.2' },
    {
      capabilities: onForm === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
    },
  );
  if (onForm !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { action, content } = await onForm(params.message);
      return content === undefined ? { action } : { action, content };
    });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [block] = result.content;
      return {
        text: block?.type === 'text' ? block.text : (block?.type ?? ''),
        isError: result.isError === true,
        keys: Object.keys(result)
          .filter((key) => key !== '_meta' && key !== 'resultType')
          .toSorted(),
      };
    },
  };
}
