import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anthropicAt, createScratch, runWield, type Scratch } from './e2e/run-wield.ts';
import { type AnthropicServer, startAnthropicServer } from './loopback/anthropic-server.ts';

let scratch: Scratch;
let server: AnthropicServer | null = null;

beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'old\n', 'b.txt': 'kept by nobody\n' });
});
afterEach(async () => {
  scratch.remove();
  await server?.close();
  server = null;
});

const read = (name: string): string => readFileSync(scratch.path(name), 'utf8');
const wreck = { calls: [{ name: 'Bash', input: { command: 'echo new > a.txt; rm b.txt' } }] };

async function run(...args: string[]): ReturnType<typeof runWield> {
  return runWield(scratch, args, server === null ? {} : { env: anthropicAt(server.url) });
}

test('wield undo, redo and diff work on the last session; a conflict is told and gives exit code 1', async () => {
  server = await startAnthropicServer([wreck, { text: 'Done.' }]);
  expect((await run('-p', 'wreck it', '--permission-mode', 'bypassPermissions')).code).toBe(0);
  expect((await run('diff', '--turn', '1')).stdout).toBe(
    [
      'diff a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n',
      'diff b.txt\ndeleted file mode 0644\n--- a/b.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-kept by nobody\n',
    ].join(''),
  );
  writeFileSync(scratch.path('a.txt'), 'mine\n');
  expect(await run('undo')).toMatchObject({
    code: 1,
    stdout: [
      'undid one call:',
      '  turn 1  Bash echo new > a.txt; rm b.txt',
      '  brought back b.txt',
      'left as they are:',
      '  conflict     a.txt (it has changed since)\n',
    ].join('\n'),
  });
  expect([read('a.txt'), read('b.txt')]).toEqual(['mine\n', 'kept by nobody\n']);
  expect(JSON.parse((await run('redo', '--json')).stdout)).toMatchObject({
    type: 'redo',
    paths: [{ path: scratch.path('b.txt'), result: 'restored' }],
  });
});

test('what there is not to undo is said in two lines', async () => {
  expect(await run('undo')).toMatchObject({ code: 2, stdout: '' });
  server = await startAnthropicServer([wreck, { text: 'Done.' }]);
  await run('-p', 'wreck it', '--permission-mode', 'bypassPermissions');
  const { code, stderr } = await run('undo', '--turn', '7');
  expect([code, stderr]).toEqual([
    2,
    'error misuse: There is nothing on record of turn 7 that is not undone already.\n  This session changed something in turn 1; --session names another one (wield sessions).\n',
  ]);
});

test('/undo in the chat takes back the last turn, and the model is told with the next prompt', async () => {
  server = await startAnthropicServer([wreck, { text: 'Done.' }, { text: 'I see.' }]);
  const chat = await runWield(scratch, ['--permission-mode', 'bypassPermissions'], {
    env: anthropicAt(server.url),
    stdin: 'wreck it\n/undo\nwhat now?\n',
  });
  expect(chat.stdout).toContain(
    'undid one call:\n  turn 1  Bash echo new > a.txt; rm b.txt\n  restored     a.txt\n  brought back b.txt\n',
  );
  expect([read('a.txt'), read('b.txt')]).toEqual(['old\n', 'kept by nobody\n']);
  const told = JSON.stringify(server.requests.at(-1)?.messages.at(-1));
  expect(told).toContain('what now?');
  expect(told).toContain('The person undid what your calls did to these files');
  expect(told).toContain(scratch.path('b.txt'));
});

test('nothing is kept where the settings say so', async () => {
  server = await startAnthropicServer([wreck, { text: 'Done.' }]);
  const env = { ...anthropicAt(server.url), XDG_CONFIG_HOME: scratch.path('config') };
  mkdirSync(scratch.path('config/wield'), { recursive: true });
  writeFileSync(scratch.path('config/wield/settings.json'), '{"undo": false}');
  const chat = await runWield(scratch, ['--permission-mode', 'bypassPermissions'], { env, stdin: 'wreck it\n/undo\n' });
  expect(chat.stdout).toContain('Undo is off: your settings say "undo": false.');
  expect(read('a.txt')).toBe('new\n');
});
