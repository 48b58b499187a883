import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch, type WieldRun } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
beforeEach(async () => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
  server = await startAnthropicServer([]);
});
afterEach(async () => {
  await server.close();
  scratch.remove();
});

function wield(...args: readonly string[]): Promise<WieldRun> {
  return runWield(scratch, args, { env: anthropicAt(server.url) });
}

function fileOf(id: string): string {
  const root = join(scratch.home, '.local/state/wield/sessions');
  const [name = ''] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(`${id}.jsonl`));
  return join(root, name);
}

/** What the last request carried, without what every one does. */
function lastPrompts(): unknown[] {
  const { messages } = server.requests.at(-1) ?? { messages: [] };
  return messages.filter(({ role }) => role === 'user').flatMap(({ content }) => textsIn(content));
}

function textsIn(content: unknown): unknown[] {
  if (!Array.isArray(content)) return [content];
  return content.map((block: { readonly text?: unknown }) => block.text);
}

test('--session-id names a new session, and an id that is taken or none is refused before anything is asked', {
  timeout: 90_000,
}, async () => {
  expect((await wield('-p', 'one', '--session-id', 'mine', '--output-format', 'json')).stdout).toContain('"session_id":"mine"');
  const before = readFileSync(fileOf('mine'), 'utf8');
  const taken = await wield('-p', 'two', '--session-id', 'mine');
  expect([taken.code, taken.stderr.split('\n')[0]]).toEqual([2, 'error session_taken: There is a session mine already.']);
  expect(await wield('-p', 'two', '--session-id', '../x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error misuse'),
  });
  expect(await wield('-p', 'two', '-c', '--session-id', 'new')).toMatchObject({ code: 2 });
  expect(readFileSync(fileOf('mine'), 'utf8')).toBe(before);
  expect(server.requests).toHaveLength(1);
});

test('a fork goes its own way from where the parent was, also while another process has the parent open', {
  timeout: 90_000,
}, async () => {
  await wield('-p', 'one', '--session-id', 'parent');
  const before = readFileSync(fileOf('parent'), 'utf8');
  writeFileSync(`${fileOf('parent')}.lock`, JSON.stringify({ pid: process.pid, startedAt: null }));
  const refused = await wield('-p', 'no', '--resume', 'parent');
  expect(refused.stderr).toContain('--fork-session, with --continue or --resume');
  expect(await wield('-p', 'two', '--resume', 'parent', '--fork-session', '--session-id', 'child')).toMatchObject({ code: 0 });
  expect(lastPrompts()).toEqual(['one', 'two']);
  expect(readFileSync(fileOf('parent'), 'utf8')).toBe(before);
  const [header = ''] = readFileSync(fileOf('child'), 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ id: 'child', parent: { id: 'parent', turn: 1 } });

  await wield('-p', 'three', '--resume', 'child');
  expect(lastPrompts()).toEqual(['one', 'two', 'three']);
  const list = (await wield('sessions')).stdout.split('\n');
  expect([list[0], list[1]]).toEqual([expect.stringMatching(/^parent .* one$/), expect.stringMatching(/^└ child .* two$/)]);
  // What the parent did is billed to the parent.
  expect(JSON.parse((await wield('sessions', 'show', 'child', '--json')).stdout)).toMatchObject({
    turns: 2,
    parent: { id: 'parent' },
  });
});

test('a fork that nothing was said in leaves nothing behind', { timeout: 90_000 }, async () => {
  await wield('-p', 'one', '--session-id', 'parent');
  const chat = await runWield(scratch, ['--resume', 'parent', '--fork-session'], {
    env: anthropicAt(server.url),
    stdin: 'exit\n',
  });
  expect(chat.stdout).toContain('A branch of the session parent, after turn 1');
  expect(readdirSync(join(fileOf('parent'), '..'))).toEqual(['parent.jsonl']);
});

test('a session is found by its name; a name of two is not guessed, and a fork has none of its own', {
  timeout: 90_000,
}, async () => {
  for (const id of ['first', 'second']) await wield('-p', id, '--session-id', id);
  expect((await wield('sessions', 'rename', 'first', ' the  big one ')).stdout).toBe('first is now called the big one\n');
  // It is as old as before.
  expect((await wield('sessions')).stdout).toMatch(/^second [^\n]*\nfirst .* \[the big one\] first\n$/);
  await wield('-p', 'more', '--resume', 'The Big One', '--fork-session', '--session-id', 'third');
  expect(lastPrompts()).toEqual(['first', 'more']);
  await wield('sessions', 'rename', 'second', 'the big one');
  const { code, stderr } = await wield('-p', 'x', '--resume', 'the big one');
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    'error session_ambiguous: 2 sessions are meant by the big one: second (the big one), first (the big one).',
  ]);
  expect(await wield('sessions', 'rename', 'first', 'a\u0007b')).toMatchObject({ code: 2 });
});

test('a bare --resume without a terminal lists what there is', { timeout: 90_000 }, async () => {
  expect(await wield('-p', 'x', '--resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('error session_missing') });
  await wield('-p', 'one', '--session-id', 'mine');
  const { code, stderr } = await runWield(scratch, ['--resume'], { env: anthropicAt(server.url), stdin: '' });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/names no session, [\s\S]*\n {3}1 {2}.* one {2}\(mine\)\n/)]);
});

test('search tells the place in prompts and answers, what was rewound too, and what a fork shares once', {
  timeout: 90_000,
}, async () => {
  await wield('-p', 'find the Needle here', '--session-id', 'hay');
  await wield('-p', 'straw', '--resume', 'hay');
  await wield('-p', 'another needle', '--resume', 'hay', '--fork-session', '--session-id', 'fork');
  await wield('rewind', '--session', 'hay', '--to-turn', '0', '--conversation');
  expect(JSON.parse((await wield('sessions', 'search', 'needle', '--json')).stdout)).toEqual([
    { id: 'hay', hits: [{ turn: 1, by: 'prompt', excerpt: 'find the Needle here', isRewound: true }] },
    { id: 'fork', hits: [{ turn: 3, by: 'prompt', excerpt: 'another needle', isRewound: false }] },
  ]);
  expect((await wield('sessions', 'search', '.*')).stdout).toBe(
    "No prompt and no answer of this folder's sessions holds that.\n",
  );
});
