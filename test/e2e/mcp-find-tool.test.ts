import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer, type WireReply } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

const PROGRAM = join(import.meta.dirname, '../mcp-server-program.ts');

let scratch: Scratch;
let server: AnthropicServer | null = null;
const HUB = { command: process.execPath, args: [PROGRAM, 'many'] };
const SILENT = { command: process.execPath, args: [PROGRAM, 'silent'] };
beforeEach(() => {
  scratch = createScratch();
});
afterEach(async () => {
  await server?.close();
  server = null;
  scratch.remove();
});

async function ask(mcpServers: object, args: readonly string[], replies: readonly WireReply[]) {
  writeFileSync(scratch.path('.mcp.json'), JSON.stringify({ mcpServers }));
  server = await startAnthropicServer(replies);
  return runWield(scratch, ['-p', 'go', '--trust', ...args], { env: anthropicAt(server.url) });
}

/** The tools of each request, as bytes. */
const toolsOf = () => (server?.requests ?? []).map((request) => JSON.stringify((request as { tools?: unknown }).tools));
const lastResults = () => JSON.stringify(server?.requests.at(-1)?.messages.at(-1));

test('of a hundred tools none is told to the model before it is found, and the requests begin alike to the byte', async () => {
  const find = { name: 'FindTool', input: { query: 'close an issue' } };
  const close = { name: 'CallTool', input: { name: 'mcp__hub__close_issue', input: { number: 7 } } };
  const { code, stderr } = await ask(
    { hub: HUB },
    ['--allowed-tools', 'mcp__hub__close_issue'],
    [
      { calls: [find] },
      { calls: [close] },
      { calls: [{ name: 'CallTool', input: { name: 'mcp__hub__die' } }] },
      { text: 'done' },
    ],
  );
  const tools = toolsOf();
  expect(tools).toHaveLength(4);
  expect(new Set(tools).size).toBe(1);
  expect(tools[0]).not.toContain('mcp__hub__');
  const added = (JSON.parse(tools[0] ?? '[]') as { name: string }[]).filter(({ name }) => /^(?:Find|Call)Tool$/.test(name));
  expect(Buffer.byteLength(JSON.stringify(added))).toBeLessThan(8 * 1024);
  expect(JSON.stringify(server?.requests[1]?.messages.at(-1))).toMatch(/## mcp__hub__close_issue\\nLets you close/);
  expect(JSON.stringify(server?.requests[2]?.messages.at(-1))).toContain('close_issue got {\\"number\\":7}');
  // What no rule allows is denied by its own name.
  expect(lastResults()).toContain('mcp__hub__die was not run: it needs a permission');
  expect(stderr).toContain('denied: mcp__hub__die');
  expect(stderr).toContain('* mcp__hub__close_issue');
  expect(code).toBe(4);
});

test('what does not fit is said with what there is, and a wrong input by the schema of the tool', async () => {
  await ask(
    { hub: HUB, slow: SILENT },
    ['--allowed-tools', 'mcp__hub'],
    [
      {
        calls: [
          { name: 'FindTool', input: { query: 'sing' } },
          { name: 'CallTool', input: { name: 'mcp__hub__close_issue', input: { number: 'seven' } } },
          { name: 'CallTool', input: { name: 'mcp__hub__nothing' } },
          { name: 'CallTool', input: { name: 'CallTool', input: {} } },
          { name: 'mcp__hub__list_team', input: {} },
        ],
      },
      { text: 'done' },
    ],
  );
  const results = lastResults();
  expect(results).toContain('No tool fits \\"sing\\". Use other words, or one of these names: mcp__hub__create_issue');
  expect(results).toContain('Not there yet, or not to be had: slow.');
  expect(results).toMatch(/mcp__hub__close_issue was not run: .*number/);
  expect(results).toContain('There is no tool \\"mcp__hub__nothing\\"');
  expect(results).toContain('CallTool was not run: it calls tools of servers, not CallTool.');
  expect(results).toContain('list_team got {}');
});
