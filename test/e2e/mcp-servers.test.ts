import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer, type WireReply } from '../loopback/anthropic-server.ts';
import { runsCommand } from '../processes.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

const PROGRAM = join(import.meta.dirname, '../mcp-server-program.ts');
const CONFIG = {
  mcpServers: {
    calc: { command: '${NODE}', args: [PROGRAM, 'plain'] },
    keyed: { command: 'x', env: { KEY: '${NO_SUCH_KEY}' } },
    gone: { command: '/no/such/program' },
    off: { command: 'x', disabled: true },
  },
};

let scratch: Scratch;
let server: AnthropicServer | null = null;
beforeEach(() => {
  scratch = createScratch({ '.mcp.json': JSON.stringify(CONFIG) });
});
afterEach(async () => {
  await server?.close();
  server = null;
  scratch.remove();
});

async function ask(args: readonly string[], replies: readonly WireReply[]) {
  server = await startAnthropicServer(replies);
  const env = { ...anthropicAt(server.url), NODE: process.execPath };
  return runWield(scratch, ['-p', 'go', ...args], { env });
}

test('servers start in a trusted folder alone, their tools stand behind the gate, and nothing of them is left', async () => {
  const untrusted = await ask([], [{ text: 'hello' }]);
  expect(untrusted.stderr).toMatch(/Not loaded, because this folder is not trusted: .*\.mcp\.json/);
  expect(toolNames()).not.toContain('mcp__calc__add');
  await server?.close();

  const add = { name: 'mcp__calc__add', input: { a: 40, b: 2 } };
  const denied = await ask(['--trust'], [{ calls: [add] }, { text: 'no' }]);
  expect(toolNames()).toContain('mcp__calc__add');
  expect(JSON.stringify(server?.requests[1])).toContain('needs a permission');
  expect(denied.stderr).toContain('server \\"keyed\\": it needs ${NO_SUCH_KEY}, which is not set'.replaceAll('\\', ''));
  expect(denied.stderr).toMatch(/The MCP server gone is not available: it could not be started: .*ENOENT/);
  expect(denied.stderr).not.toContain('"off"');
  await server?.close();

  const wait = { name: 'mcp__calc__wait' };
  const allowed = await ask(
    ['--allowed-tools', 'mcp__calc__add', '--disallowed-tools', 'mcp__calc__wait'],
    [{ calls: [add, wait] }, { text: 'yes' }],
  );
  expect(allowed.code).toBe(4);
  const results = JSON.stringify(server?.requests[1]);
  expect(results).toMatch(/"42"|:"42/);
  expect(results).toContain('mcp__calc__wait was not run');
  expect(results).not.toContain('hidden');
  expect(runsCommand(process.execPath, PROGRAM, 'plain')).toBe(false);
});

function toolNames(): readonly string[] {
  const request = server?.requests[0] as { tools?: readonly { readonly name: string }[] } | undefined;
  return (request?.tools ?? []).map(({ name }) => name);
}
