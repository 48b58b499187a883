import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRegistry } from '../../src/app/create-registry.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import type { ListedTool } from '../../src/mcp/client/server-tool.ts';
import { ServerTools } from '../../src/mcp/client/server-tools.ts';
import { ERAS } from './mcp-client.ts';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => scratch.remove());

test('over HTTP only who shows the token comes in, by no other name than loopback, and both protocols are spoken', async () => {
  const opened = Promise.withResolvers<{ url: string; token: string; stop(): void }>();
  let said = '';
  const run = runWield(scratch, ['mcp', 'serve', '--http', '0'], {
    onStart: ({ onStderr, kill }) =>
      onStderr((text) => {
        said += text;
        const [, url, token] = /^Serving (http:\S+)\nAuthorization: Bearer (\S+)\n/m.exec(said) ?? [];
        if (url !== undefined && token !== undefined) opened.resolve({ url, token, stop: () => kill('SIGTERM') });
      }),
  });
  const { url, token, stop } = await opened.promise;
  const Authorization = `Bearer ${token}`;
  expect([
    await statusOf(url, {}),
    await statusOf(url, { Authorization: `${Authorization}x` }),
    await statusOf(url, { Authorization, Host: 'evil.example' }),
    await statusOf(url, { Authorization, Origin: 'http://evil.example' }),
    await statusOf(`${url}/other`, { Authorization }),
    await statusOf(url, { Authorization, 'Mcp-Session-Id': 'none' }),
  ]).toEqual([401, 401, 403, 403, 404, 404]);
  for (const era of ERAS) {
    const client = new Client(
      { name: 'test-editor', version: '1.2' },
      {
        capabilities: { elicitation: {} },
        versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
      },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'allow once' } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization } } }));
    const { content } = await client.callTool({ name: 'Bash', arguments: { command: 'echo "$((6 * 7))" > made; cat made' } });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('42') }]);
    await client.close();
  }
  const registry = createRegistry();
  const notes: string[] = [];
  const place = { cwd: scratch.root, env: {}, version: '1' };
  const admit = (_server: string, tools: readonly ListedTool[]): readonly ListedTool[] => tools;
  const options = { registry, place, admit, notify: (text: string) => void notes.push(text) };
  const ours = new ServerTools({ name: 'ours', type: 'http', url, headers: { Authorization } }, options);
  const closed = new ServerTools({ name: 'closed', type: 'http', url, headers: {} }, options);
  await Promise.all([ours.ready, closed.ready]);
  expect(notes).toEqual([expect.stringMatching(/^The MCP server closed is not available: /)]);
  const context = { signal: new AbortController().signal, progress: () => undefined } as unknown as ToolContext;
  const read = await registry.get('mcp__ours__ReadFile')?.execute(context, { path: scratch.path('a.txt') });
  expect(read).toEqual({ content: [{ type: 'text', text: '1\talpha' }], isError: false });
  await Promise.all([ours.close(), closed.close()]);
  stop();
  expect((await run).code).toBe(143);
});

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    request(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify(message));
  });
}
