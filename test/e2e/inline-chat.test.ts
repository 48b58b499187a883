import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type AnthropicServer, routed, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { isRunning, runsCommand } from '../processes.ts';
import { type PtySession, startInPty } from '../pty-session.ts';
import { anthropicAt, createScratch, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
let open: PtySession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) if (isRunning(session.pid)) session.kill('SIGKILL');
  scratch.remove();
  await server.close();
});

type Script = Parameters<typeof startAnthropicServer>[0];

/** wield in a terminal, with a model that says what the script says. */
async function started(script: Script, options: { args?: readonly string[] } & Parameters<typeof startInPty>[2] = {}) {
  server = await startAnthropicServer(script);
  const { args = [], env = {}, ...rest } = options;
  const session = startInPty(scratch, args, { ...rest, env: { ...anthropicAt(server.url), ...env } });
  open = [...open, session];
  return session;
}

const SLOW = { timeout: 15_000 };

function text({ screen }: PtySession): string {
  return screen.lines().join('\n');
}

async function sees(session: PtySession, expected: string | RegExp): Promise<void> {
  const wanted = expect.poll(() => text(session), SLOW);
  await (typeof expected === 'string' ? wanted.toContain(expected) : wanted.toMatch(expected));
}

/** The dialog is deaf to what was typed before a person could read it. */
async function answers(session: PtySession, keys: string): Promise<void> {
  await sees(session, 'n no (Enter)');
  await new Promise((resolve) => setTimeout(resolve, 400));
  session.type(keys);
}

async function ready(session: PtySession): Promise<void> {
  await sees(session, '? help');
  await sees(session, 'rules ');
}

describe('the chat in a terminal', () => {
  test('a whole task: read, a question with the change in it, the edit, the answer', async () => {
    scratch = createScratch({ 'a.txt': 'one\nold\nthree\n' });
    const path = scratch.path('a.txt');
    const session = await started([
      { calls: [{ name: 'ReadFile', input: { path } }] },
      { calls: [{ name: 'EditFile', input: { path, old_string: 'old', new_string: 'new' } }] },
      { calls: [{ name: 'WriteFile', input: { path: scratch.path('b.txt'), content: 'fresh\n' } }] },
      { text: 'Both are done.' },
    ]);
    await ready(session);
    session.type('change it\r');
    await answers(session, 's');
    await sees(session, 'asks to write b.txt');
    await new Promise((resolve) => setTimeout(resolve, 400));
    session.type('y');
    await sees(session, 'Both are done.');
    const lines = text(session);
    expect(lines).toMatch(/> change it/);
    expect(lines).toMatch(/● read {4}a\.txt {2}3 lines · \d+ ms/);
    expect(lines).toMatch(/\? asks to edit a\.txt\n {4}- old\n {4}\+ new\n/);
    expect(lines).toMatch(/● edit {4}a\.txt/);
    expect(readFileSync(path, 'utf8')).toBe('one\nnew\nthree\n');
    expect(readFileSync(scratch.path('b.txt'), 'utf8')).toBe('fresh\n');
    session.type('/exit\r');
    expect(await session.ended()).toBe(0);
  });

  test('an edit that needs no question shows its diff with numbers', async () => {
    scratch = createScratch({ 'a.txt': 'one\nold\nthree\n' });
    const session = await started(
      [
        { calls: [{ name: 'EditFile', input: { path: scratch.path('a.txt'), old_string: 'old', new_string: 'new' } }] },
        { text: 'Done.' },
      ],
      { args: ['--permission-mode', 'acceptEdits'] },
    );
    await ready(session);
    session.type('go\r');
    await sees(session, 'Done.');
    expect(text(session)).toMatch(/● edit {4}a\.txt {2}\+1 -1/);
    expect(text(session)).toMatch(/2 - old\n +2 \+ new/);
  });

  test('an untouched Enter denies, keys from before the question are dropped, and t tells the model why', async () => {
    scratch = createScratch();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const touch = { name: 'Bash', input: { command: 'touch canary' } };
    const session = await started([
      { text: 'Thinking.', calls: [touch], holdUntil: held },
      { calls: [touch] },
      { text: 'I see.' },
    ]);
    await ready(session);
    session.type('go\r');
    await sees(session, 'Thinking.');
    session.type('yyy');
    release();
    await answers(session, '\r');
    await expect.poll(() => server.requests.length, SLOW).toBe(2);
    await expect.poll(() => text(session).split('n no (Enter)').length, SLOW).toBe(2);
    await answers(session, 't');
    await sees(session, 'no, because:');
    session.type('use 中文 names\r');
    await sees(session, 'I see.');
    expect(JSON.stringify(server.requests[2]?.messages)).toContain('Their reason: use 中文 names');
    expect(existsSync(scratch.path('canary'))).toBe(false);
  });

  test('an edited command runs in place of the one that was asked for', async () => {
    scratch = createScratch();
    const session = await started([{ calls: [{ name: 'Bash', input: { command: 'touch wrong' } }] }, { text: 'Ran.' }]);
    await ready(session);
    session.type('go\r');
    await answers(session, 'e');
    await sees(session, 'run instead: touch wrong');
    session.type('\u0017right\r');
    await sees(session, 'Ran.');
    expect(readdirSync(scratch.root)).toEqual(['right']);
  });

  test('an edit is gone through change by change: what is left out stays, and the model is told', async () => {
    scratch = createScratch({ 'a.txt': 'one\nkeep\ntwo\n' });
    const input = { path: scratch.path('a.txt'), old_string: 'one\nkeep\ntwo', new_string: 'ONE\nkeep\nTWO' };
    const session = await started([
      { calls: [{ name: 'ReadFile', input: { path: input.path } }] },
      { calls: [{ name: 'EditFile', input }] },
      { text: 'I see.' },
    ]);
    await ready(session);
    session.type('go\r');
    await answers(session, 'r');
    await sees(session, 'change 1 of 2');
    session.type('r');
    await sees(session, 'change 2 of 2');
    session.type('a');
    await sees(session, 'Enter applies 1');
    session.type('\r');
    await sees(session, 'I see.');
    expect(readFileSync(input.path, 'utf8')).toBe('one\nkeep\nTWO\n');
    expect(JSON.stringify(server.requests[2]?.messages)).toContain('The person changed this call before it ran');
  });

  test('what is hidden in a command is shown before it is allowed', async () => {
    scratch = createScratch();
    const session = await started([{ calls: [{ name: 'Bash', input: { command: 'touch a\u202e\u0007b' } }] }, { text: 'ok' }]);
    await ready(session);
    session.type('go\r');
    await sees(session, 'hidden character');
    expect(text(session)).toContain(String.raw`touch a<U+202E>\x07b`);
  });

  test('Escape stops a stream, and a command with all that it started', async () => {
    scratch = createScratch();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const session = await started(
      [
        { text: 'Partial answer', holdUntil: held },
        { calls: [{ name: 'Bash', input: { command: 'echo begun; sleep 6174; echo no' } }] },
      ],
      { args: ['--permission-mode', 'bypassPermissions'] },
    );
    await ready(session);
    session.type('one\r');
    await sees(session, 'Partial answer');
    session.type('\u001b');
    await sees(session, 'Interrupted.');
    release();
    session.type('two\r');
    await sees(session, 'begun');
    session.type('\u001b');
    await expect.poll(() => text(session).split('Interrupted.').length, SLOW).toBe(3);
    await expect.poll(() => runsCommand('sleep', '6174'), SLOW).toBe(false);
  });

  test('Enter queues while it works, Up takes it back, and it runs when its turn comes', async () => {
    scratch = createScratch();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const session = await started([{ text: 'First.', holdUntil: held }, { text: 'Second.' }]);
    await ready(session);
    session.type('one\r');
    await sees(session, 'First.');
    session.type('two\r');
    await sees(session, /queued: two +↑ edit/);
    session.type('\u001b[A');
    await sees(session, /^> two$/m);
    session.type(' and three\r');
    await sees(session, 'queued: two and three');
    release();
    await sees(session, 'Second.');
    expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain('two and three');
  });

  test('a paste of 10,000 lines is one marker, is not sent by its last line end, and reaches the model whole', async () => {
    scratch = createScratch();
    const session = await started([{ text: 'Read.' }]);
    await ready(session);
    const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i}`);
    session.type(`look: \u001b[200~${lines.join('\r')}\r\u001b[201~`);
    await sees(session, 'look: [Pasted #1 10000 lines]');
    expect(server.requests).toHaveLength(0);
    session.type('\r');
    await sees(session, 'Read.');
    expect(JSON.stringify(server.requests[0]?.messages[0])).toContain(JSON.stringify(lines.join('\n')).slice(1, -1));
    expect(text(session)).not.toContain('line 9999');
  });

  test('the cursor stands at the caret in every frame', async () => {
    scratch = createScratch();
    const session = await started([]);
    await ready(session);
    for (const [keys, column] of [
      ['你好', 6],
      ['a', 7],
      ['\u001b[D\u001b[D', 4],
      ['👩‍🚀', 6],
      ['e\u0301', 7],
    ] as const) {
      session.type(keys);
      await expect.poll(() => session.screen.cursor().column, SLOW).toBe(column);
      const row = session.screen.rows()[session.screen.cursor().row];
      expect(row).toMatch(/^> /);
    }
  });

  test('! runs in the same sandbox, and the model learns of it with the next prompt', async () => {
    scratch = createScratch({ 'a.txt': 'x\n' });
    const session = await started([{ text: 'I know.' }]);
    await ready(session);
    session.type('!ls; touch mine\r');
    await sees(session, /● run {5}ls; touch mine {2}exit 0/);
    expect(existsSync(scratch.path('mine'))).toBe(true);
    session.type('what did I do?\r');
    await sees(session, 'I know.');
    expect(JSON.stringify(server.requests[0]?.messages[0])).toContain('person_ran_command');
  });

  test('what was typed is found again in the next session, and the file is the user’s alone', async () => {
    scratch = createScratch();
    const first = await started([{ text: 'One.' }]);
    await ready(first);
    first.type('remember the alamo\r');
    await sees(first, 'One.');
    await expect.poll(() => text(first), SLOW).not.toContain('esc stops');
    first.type('\u0004');
    expect(await first.ended()).toBe(0);
    const folder = join(scratch.home, '.local/state/wield/history');
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    await server.close();
    const second = await started([{ text: 'Two.' }]);
    await ready(second);
    second.type('\u0012alamo');
    await sees(second, 'search: alamo  remember the alamo');
    second.type('\r');
    await sees(second, /^> remember the alamo$/m);
  });

  test('/ and @ are completed', async () => {
    scratch = createScratch({ 'src/deep/one.ts': '', 'two.md': '' });
    const session = await started([]);
    await ready(session);
    session.type('/un');
    await sees(session, '/undo');
    session.type('\u0015');
    await expect.poll(() => text(session), SLOW).not.toContain('/undo');
    session.type('see @one');
    await sees(session, '@src/deep/one.ts');
    session.type('\t');
    await sees(session, /^> see @src\/deep\/one\.ts/m);
  });

  test('window changes while an answer streams leave no line twice and none out', async () => {
    scratch = createScratch();
    const answer = Array.from({ length: 200 }, (_, i) => `- line ${i} ${'word '.repeat(i % 9)}end${i}`).join('\n');
    const gates = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    const session = await started(
      [
        {
          text: answer,
          calls: [{ name: 'Bash', input: { command: 'sleep 0.3' } }],
          holdUntil: gates[0]?.promise ?? Promise.resolve(),
        },
        { text: 'The end.' },
      ],
      { shell: 'echo shell line one; echo shell line two; wield --permission-mode bypassPermissions', columns: 80, rows: 24 },
    );
    await ready(session);
    session.type('stream\r');
    await sees(session, 'line 0');
    session.resize(60, 24);
    await sees(session, 'end199');
    session.resize(100, 24);
    gates[0]?.resolve();
    await sees(session, 'The end.');
    session.type('\u0004');
    await session.ended();
    const all = text(session);
    for (let i = 0; i < 200; i++)
      expect(all.split(`line ${i} `).length + all.split(`line ${i}\n`).length - 2, `line ${i}`).toBe(1);
    expect(all.split('shell line one')).toHaveLength(2);
    expect(all.split('? help')).toHaveLength(1);
    expect(session.written).not.toContain('\u001b[3J');
    expect(session.written).not.toContain('\u001b[?1000h');
  });

  test('SIGHUP leaves no process, and every end gives the terminal back', async () => {
    scratch = createScratch();
    const session = await started([{ calls: [{ name: 'Bash', input: { command: 'echo begun; sleep 6175; echo no' } }] }], {
      args: ['--permission-mode', 'bypassPermissions'],
    });
    await ready(session);
    session.type('go\r');
    await sees(session, 'begun');
    session.kill('SIGHUP');
    expect(await session.ended()).toBe(129);
    await expect.poll(() => runsCommand('sleep', '6175'), SLOW).toBe(false);
    expect(session.written).toContain('\u001b[?2004l');
    expect(session.written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(session.written.lastIndexOf('\u001b[?25l'));
  });

  test('Ctrl-C twice leaves; NO_COLOR is respected', async () => {
    scratch = createScratch();
    const session = await started([{ text: '# Hi' }], { env: { NO_COLOR: '1' } });
    await ready(session);
    session.type('hi\r');
    await sees(session, 'Hi');
    session.type('half a line');
    await sees(session, 'half a line');
    session.type('\u0003');
    await sees(session, 'Ctrl-C again leaves');
    session.type('\u0003');
    expect(await session.ended()).toBe(0);
    // oxlint-disable-next-line no-control-regex -- SGR sequences are what is looked for
    expect(session.written).not.toMatch(/\u001b\[[0-9;]*m/);
  });
});

test('a sub-agent is one row with its progress, asks in its own name, and its report ends the row', async () => {
  scratch = createScratch({ 'a.txt': 'old\n' });
  const session = await started(
    routed({
      'send one': [
        { calls: [{ name: 'Task', input: { description: 'change the file', prompt: 'inner' } }] },
        { text: 'It is back.' },
      ],
      inner: [
        { text: 'inner words', calls: [{ name: 'Bash', input: { command: 'echo new > a.txt' } }] },
        { text: 'Changed one file.' },
      ],
    }),
  );
  await ready(session);
  session.type('send one\r');
  await sees(session, 'Allow Bash for a sub-agent?');
  await sees(session, 'for the sub-agent: change the file');
  await answers(session, 'y');
  await sees(session, 'It is back.');
  await sees(session, /● task +change the file +Changed one file/);
  expect(text(session)).not.toContain('inner words');
  expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('new\n');
});
