import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch, type WieldRun } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
beforeEach(async () => {
  scratch = createScratch({ 'old.txt': 'old\n' });
  server = await startAnthropicServer([
    write('one.txt'),
    { text: 'wrote one' },
    write('two.txt'),
    { text: 'wrote two' },
    write('three.txt'),
    { text: 'wrote three' },
  ]);
  await runWield(scratch, ['--session-id', 's', '--permission-mode', 'acceptEdits'], {
    env: anthropicAt(server.url),
    stdin: 'first\nsecond\nthird\nexit\n',
  });
});
afterEach(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
  scratch.remove();
});

function write(path: string): { calls: { name: string; input: object }[] } {
  return { calls: [{ name: 'WriteFile', input: { path: scratch.path(path), content: `${path}\n` } }] };
}

function wield(...args: readonly string[]): Promise<WieldRun> {
  return runWield(scratch, args, { env: anthropicAt(server.url) });
}

function files(): boolean[] {
  return ['one.txt', 'two.txt', 'three.txt'].map((name) => existsSync(scratch.path(name)));
}

async function promptsSent(prompt: string): Promise<string> {
  await wield('-p', prompt, '--resume', 's');
  return JSON.stringify(server.requests.at(-1)?.messages);
}

test('conversation and files go back together, what changed since stays and is told, and the next request does not carry it', {
  timeout: 90_000,
}, async () => {
  writeFileSync(scratch.path('three.txt'), 'mine now\n');
  const shown = await wield('rewind', '--session', 's', '--to-turn', '1', '--dry-run');
  expect([shown.code, files()]).toEqual([1, [true, true, true]]);
  const { code, stdout } = await wield('rewind', '--session', 's', '--to-turn', '1');
  expect([code, files(), readFileSync(scratch.path('three.txt'), 'utf8')]).toEqual([1, [true, false, true], 'mine now\n']);
  expect(stdout).toMatch(/^The conversation goes on from the end of turn 1, without\n {4}2 {2}second\n {4}3 {2}third\n/);
  expect(stdout).toMatch(/left as they are:\n {2}conflict +three\.txt/);
  const sent = await promptsSent('again');
  for (const kept of ['first', 'wrote one', 'again']) expect(sent).toContain(kept);
  // Nor is it told of an undo of calls that it does not know.
  for (const gone of ['second', 'third', 'two.txt', 'undone']) expect(sent).not.toContain(gone);
});

test('the conversation alone, then the files alone', { timeout: 90_000 }, async () => {
  expect(await wield('rewind', '--session', 's', '--to-turn', '2', '--conversation')).toMatchObject({ code: 0 });
  expect(files()).toEqual([true, true, true]);
  expect(await promptsSent('again')).not.toContain('third');
  expect(await wield('rewind', '--session', 's', '--to-turn', '2', '--files')).toMatchObject({ code: 0 });
  expect(files()).toEqual([true, true, false]);
  const sent = await promptsSent('and now');
  for (const kept of ['second', 'again', 'files_undone']) expect(sent).toContain(kept);
});

test('a turn that is not there, or has nothing after it, is refused with those there are', { timeout: 90_000 }, async () => {
  for (const turn of ['3', '9']) {
    const { code, stderr } = await wield('rewind', '--to-turn', turn);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error misuse: [\s\S]*1 {2}first\n[\s\S]*3 {2}third\n/)]);
  }
  expect(await wield('rewind', '--to-turn', 'x')).toMatchObject({ code: 2 });
  expect(await wield('rewind', '--to-turn', '1', '--files', '--conversation')).toMatchObject({ code: 2 });
});

test('/rewind in the chat lists the turns, goes back to one, and the chat goes on from there', { timeout: 90_000 }, async () => {
  const chat = await runWield(scratch, ['--resume', 's'], {
    env: anthropicAt(server.url),
    stdin: '/rewind\n/rewind 1\nhello there\n/rewind 8\nexit\n',
  });
  expect(chat.stdout).toContain('  1  first\n');
  expect(chat.stdout).toContain('There is no turn 8 in this session.');
  expect(files()).toEqual([true, false, false]);
  const sent = JSON.stringify(server.requests.at(-1)?.messages);
  expect([sent.includes('hello there'), sent.includes('wrote one'), sent.includes('second')]).toEqual([true, true, false]);
});
