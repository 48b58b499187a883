import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anthropicAt, createScratch, runWield, type Scratch, type WieldRun } from './e2e/run-wield.ts';
import { type AnthropicServer, routed, startAnthropicServer, type WireReply } from './loopback/anthropic-server.ts';

let scratch: Scratch;
let server: AnthropicServer | null = null;

beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'old\n', 'b.txt': 'kept\n' });
});
afterEach(async () => {
  scratch.remove();
  await server?.close();
  server = null;
});

const task = (prompt: string) => ({ name: 'Task', input: { description: `the ${prompt} one`, prompt } });
const bash = (command: string): WireReply => ({ calls: [{ name: 'Bash', input: { command } }] });
const read = (name: string): string => readFileSync(scratch.path(name), 'utf8');

async function run(...args: string[]): Promise<WieldRun> {
  return runWield(scratch, args, server === null ? {} : { env: anthropicAt(server.url) });
}

/** Two sub-agents at once, of which one changes two files by two calls. */
async function work(...more: string[]): Promise<WieldRun> {
  server = await startAnthropicServer(
    routed({
      go: [{ calls: [task('first'), task('second')] }, { text: 'Both are back.' }],
      first: [bash('echo new > a.txt'), bash('rm b.txt'), { text: 'Changed two files.' }],
      second: [bash('echo c > c.txt'), { text: 'Made one file.' }],
      next: [{ text: 'I know.' }],
    }),
  );
  return run('-p', 'go', '--permission-mode', 'bypassPermissions', ...more);
}

/** The session file's lines. */
function recorded(): readonly Record<string, unknown>[] {
  const folder = join(scratch.home, '.local/state/wield/sessions');
  const [path] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(join(folder, path ?? ''), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('each sub-agent is one row on stderr, and its own lines in stream-json name it', async () => {
  const { code, stdout, stderr } = await work('--output-format', 'stream-json');
  expect(code).toBe(0);
  expect(
    stderr
      .split('\n')
      .filter((line) => line.startsWith('* Task'))
      .map((line) => line.replace(/ \(\d+ ms\)$/, '')),
  ).toEqual(expect.arrayContaining(['* Task the first one — Changed two files.', '* Task the second one — Made one file.']));
  expect(stderr).not.toContain('* Bash');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const results = lines
    .filter(({ type }) => type === 'tool_result')
    .map(({ name, agent_id: id }) => `${String(name)} of ${String(id)}`);
  const [one, two] = lines.filter(({ type, name }) => type === 'tool_use' && name === 'Task').map(({ id }) => id);
  expect(results.toSorted()).toEqual(
    ['Bash', 'Bash', 'Task', 'Task', 'Bash']
      .map((name, i) => `${name} of ${String([one, one, undefined, undefined, two][i])}`)
      .toSorted(),
  );
  expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'Both are back.', num_turns: 2 });
});

test('what a sub-agent did is undone by the call that started it, and what all did with the turn', async () => {
  await work();
  const calls = recorded().flatMap(({ type, agentId }) => (type === 'sub_agent' ? [String(agentId)] : []));
  const [first = ''] = calls.filter((id) =>
    recorded().some((line) => line['agentId'] === id && JSON.stringify(line).includes('rm b.txt')),
  );
  const { code, stdout } = await run('undo', '--call', first);
  expect([code, stdout]).toEqual([0, expect.stringContaining('undid 2 calls')]);
  expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['old\n', 'kept\n', 'c\n']);
  await run('redo');
  expect([read('a.txt'), existsSync(scratch.path('b.txt'))]).toEqual(['new\n', false]);
  await run('undo');
  expect([read('a.txt'), read('b.txt'), existsSync(scratch.path('c.txt'))]).toEqual(['old\n', 'kept\n', false]);
});

test('a session is gone on with by what its own agent said and heard', async () => {
  await work();
  expect((await run('-p', 'next', '--continue')).code).toBe(0);
  const last = server?.requests.at(-1)?.messages ?? [];
  expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect(JSON.stringify(last)).toContain('Changed two files.');
  expect(JSON.stringify(last)).not.toContain('rm b.txt');
  expect(server?.faults).toEqual([]);
});

test('a session that broke off says of a sub-agent that had begun to change things that nobody knows', async () => {
  server = await startAnthropicServer(
    routed({
      go: [{ calls: [task('first')] }, { text: 'I see.' }],
      first: [bash('echo new > a.txt; sleep 60')],
      next: [{ text: 'I know.' }],
    }),
  );
  await runWield(scratch, ['-p', 'go', '--permission-mode', 'bypassPermissions'], {
    env: anthropicAt(server.url),
    onStart: ({ kill }) => {
      const timer = setInterval(() => {
        if (read('a.txt') !== 'new\n') return;
        clearInterval(timer);
        kill('SIGKILL');
      }, 20);
    },
  });
  await run('-p', 'next', '--continue');
  expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain(
    'Unknown outcome: the session broke off while this call ran.',
  );
});

test('an export shows what a sub-agent did with the call that started it', async () => {
  await work();
  const [document, markdown, page] = await Promise.all(
    [['--json'], ['--markdown'], []].map(async (flags) => (await run('sessions', 'export', ...flags)).stdout),
  );
  const { entries, totals } = JSON.parse(document ?? '') as { entries: Record<string, unknown>[]; totals: unknown };
  const tasks = entries.filter(({ type }) => type === 'call');
  expect(tasks.map(({ name, subject }) => [name, subject])).toEqual([
    ['Task', 'the first one'],
    ['Task', 'the second one'],
  ]);
  expect(tasks[0]).toMatchObject({
    changes: [{ path: 'a.txt' }, { path: 'b.txt' }],
    subAgent: {
      turns: 3,
      calls: [
        { name: 'Bash', subject: 'echo new > a.txt', outcome: 'succeeded' },
        { name: 'Bash', subject: 'rm b.txt', outcome: 'succeeded' },
      ],
    },
  });
  expect(totals).toMatchObject({ turns: 2, calls: 2 });
  for (const text of [markdown, page]) expect(text).toContain('A sub-agent: 2 calls in 3 turns');
});

test('a rule forbids sub-agents', async () => {
  const { code, stderr } = await work('--disallowed-tools', 'Task');
  expect(stderr).toContain('denied: Task, because the rule Task (--disallowedTools) says so');
  expect([code, read('a.txt')]).toEqual([4, 'old\n']);
});
