import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secretsIn } from '../src/app/known-secrets.ts';
import { type ComposeRequest, compose, type Session as ComposedSession } from '../src/app/compose.ts';
import { makeTest, openRecording, readTest } from '../src/app/replay/recordings.ts';
import { replaySession, type ReplayReport } from '../src/app/replay/replay-session.ts';
import { renderReplay } from '../src/app/replay/replay-text.ts';
import { rewindSession } from '../src/app/undo/rewind-session.ts';
import { userFolders } from '../src/app/user-folders.ts';
import type { PermissionAnswer } from '../src/core/permission.ts';
import { routed, startAnthropicServer, type WireReply } from './loopback/anthropic-server.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-record-')));
  root = join(base, 'shop');
  mkdirSync(join(base, 'home'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const FILES = {
  'a.txt': 'alpha\nbeta\n',
  'src/price.js': 'export const price = (n) => n * 2;\n// TODO tax\n',
  'check.sh': 'echo "run $$ at $(date) in $(pwd)"; echo pid $$; mktemp; ls -l a.txt\n',
};

interface Between {
  readonly id: string;
  /** How many prompts there were by then. */
  readonly count: number;
  /** The session that goes on, where it is all one process. */
  readonly open: ComposedSession | null;
}

interface Session {
  readonly prompts: readonly string[];
  /** Of a model on loopback; the demo without them. */
  readonly replies?: Parameters<typeof startAnthropicServer>[0];
  readonly more?: Partial<ComposeRequest>;
  readonly answer?: PermissionAnswer;
  /** What somebody else does between two prompts. */
  between?(done: Between): void | Promise<unknown>;
  /** All prompts in one process, as in a chat. */
  readonly isOneProcess?: boolean;
  before?(): void;
}

/** Runs the prompts, each in a process of its own as --continue would. Gives the id of the session. */
async function record({ prompts, replies, more, answer, between, before, isOneProcess = false }: Session): Promise<string> {
  before?.();
  const server = await startAnthropicServer(replies ?? []);
  const environment = {
    ...process.env,
    HOME: join(base, 'home'),
    XDG_STATE_HOME: '',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
  };
  let id = '';
  let open: ComposedSession | null = null;
  for (const [i, prompt] of prompts.entries()) {
    if (i > 0) await between?.({ id, count: i, open });
    const session: ComposedSession =
      open ??
      (await compose({
        cwd: root,
        environment,
        model: replies === undefined ? 'demo' : 'anthropic/claude-test',
        permissionMode: null,
        allowedTools: [],
        disallowedTools: [],
        addDirs: [],
        maxTurns: null,
        appendSystemPrompt: null,
        trust: false,
        continueLast: i > 0,
        resumeId: null,
        sessionId: null,
        forkSession: false,
        sandbox: null,
        requireSandbox: false,
        acceptUnsandboxed: true,
        canAsk: answer !== undefined,
        firstPrompt: prompt,
        ...more,
      }));
    for await (const event of session.agent.run(prompt))
      if (event.type === 'permission_request' && answer !== undefined) session.agent.answer(event.requestId, answer);
    id = session.agent.sessionId;
    if (isOneProcess) open = session;
    else await session.close();
  }
  await open?.close();
  await server.close();
  return id;
}

/** One file of a session; its folder and home are gone afterwards. */
async function asTest(id: string): Promise<string> {
  const environment = { ...process.env, HOME: join(base, 'home'), XDG_STATE_HOME: '' };
  const recording = await openRecording({ cwd: root, folders: userFolders(environment), id });
  const path = join(base, 'session.test.jsonl');
  makeTest(recording, path, secretsIn(environment, new Map()));
  recording.close();
  rmSync(root, { recursive: true });
  rmSync(join(base, 'home'), { recursive: true });
  return path;
}

/** On another machine, as far as one can be made here. */
async function replay(path: string, folder: string | null = null): Promise<ReplayReport> {
  const elsewhere = join(base, 'elsewhere');
  mkdirSync(join(elsewhere, 'tmp'), { recursive: true });
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = join(elsewhere, 'tmp');
  try {
    const environment = {
      ...process.env,
      HOME: elsewhere,
      TZ: 'Asia/Tokyo',
      LC_ALL: 'de_DE.UTF-8',
      PATH: (process.env['PATH'] ?? '').split(':').toReversed().join(':'),
    };
    const signal = new AbortController().signal;
    return await replaySession(readTest(path), { environment, folder, acceptUnsandboxed: true, signal });
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}

const call = (name: string, input: unknown): NonNullable<WireReply['calls']>[number] => ({ name, input });
const task = (prompt: string): ReturnType<typeof call> => call('Task', { description: `the ${prompt} one`, prompt });
const here = (name: string): string => join(root, name);
const bypass = { permissionMode: 'bypassPermissions' } as const;
const git = (...args: readonly string[]): void => {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: root, stdio: 'ignore' });
};

/** What is made only when the folder is known. */
const SESSIONS: readonly (readonly [string, () => Session])[] = [
  ['the demo reads', () => ({ prompts: ['read a.txt'] })],
  ['the demo searches, and is asked again', () => ({ prompts: ['search for TODO', 'read src/price.js'] })],
  ['the demo edits', () => ({ prompts: ['replace alpha with gamma in a.txt'], more: { permissionMode: 'acceptEdits' } })],
  ['the demo may not run a command', () => ({ prompts: ['run sh check.sh'] })],
  [
    'the demo runs a command that tells time, process and temporary names',
    () => ({ prompts: ['run sh check.sh'], more: bypass }),
  ],
  [
    'calls side by side, and an edit that fails',
    () => ({
      prompts: ['go'],
      more: bypass,
      replies: [
        {
          calls: [
            call('ReadFile', { path: here('a.txt') }),
            call('Grep', { pattern: 'TODO' }),
            call('Glob', { pattern: '**/*' }),
          ],
        },
        {
          calls: [
            call('EditFile', { path: here('a.txt'), old_string: 'nowhere', new_string: 'x' }),
            { name: 'Bash', json: '{"comm' },
          ],
        },
        { calls: [call('WriteFile', { path: here('new/b.txt'), content: 'b\n' }), call('Nope', {})] },
        { text: 'done' },
      ],
    }),
  ],
  [
    'a command that changes files',
    () => ({
      prompts: ['go'],
      more: bypass,
      replies: [
        {
          calls: [
            call('Bash', { command: `cd ${root} && mkdir out && date > out/when && sed -i s/beta/delta/ a.txt && rm check.sh` }),
          ],
        },
        { calls: [call('ReadFile', { path: here('a.txt') }), call('Bash', { command: 'cat out/when; echo $TZ $LC_ALL' })] },
      ],
    }),
  ],
  [
    'a person denies, with a reason',
    () => ({
      prompts: ['go'],
      answer: { type: 'deny', reason: 'not today' },
      replies: [{ calls: [call('WriteFile', { path: here('a.txt'), content: 'x' })] }, { text: 'fine' }],
    }),
  ],
  [
    'a person edits the input, and somebody else the files between two prompts',
    () => ({
      prompts: ['one', 'two'],
      answer: { type: 'allow', scope: 'once', editedInput: { path: here('c.txt'), content: 'by hand\n' } },
      between: () => writeFileSync(here('a.txt'), 'from elsewhere\n'),
      replies: [
        { calls: [call('WriteFile', { path: here('c.txt'), content: 'by model\n' })] },
        { text: 'ok' },
        { calls: [call('ReadFile', { path: here('a.txt') }), call('ReadFile', { path: here('c.txt') })] },
        { text: 'ok' },
      ],
    }),
  ],
  [
    'two sub-agents read, change files and are refused',
    () => ({
      prompts: ['go', 'more'],
      more: { permissionMode: 'acceptEdits' },
      replies: routed({
        go: [
          { text: 'Two at once.', calls: [task('first'), task('second')] },
          { calls: [call('ReadFile', { path: here('new/one.txt') })] },
          { text: 'done' },
          { calls: [call('ReadFile', { path: here('a.txt') })] },
          { text: 'done again' },
        ],
        first: [
          {
            calls: [call('ReadFile', { path: here('a.txt') }), call('WriteFile', { path: here('new/one.txt'), content: '1\n' })],
          },
          { text: 'One is made.' },
        ],
        second: [{ calls: [call('Bash', { command: 'rm a.txt' })] }, { text: 'Not allowed.' }],
      }),
    }),
  ],
  [
    'a repository, a plan, and a background command',
    () => ({
      prompts: ['go'],
      more: bypass,
      before: () => {
        git('init');
        git('add', '.');
        git('commit', '-m', 'first');
        writeFileSync(here('a.txt'), 'changed\n');
      },
      replies: [
        { calls: [call('GitStatus', {}), call('GitDiff', {}), call('CreateTodos', { items: ['look', 'tell'] })] },
        { calls: [call('Bash', { command: 'echo hi; sleep 30', run_in_background: true })] },
        { calls: [call('BashOutput', { job_id: 'job_1' }), call('Bash', { command: 'git log --oneline | cat; git add a.txt' })] },
        { text: 'done' },
      ],
    }),
  ],
];

describe('a session gives the same events, results and effects in another folder, home, zone and language', () => {
  test.each(SESSIONS)('where %s', async (_name, session) => {
    const report = await replay(await asTest(await record(session())));
    expect(report.calls.filter(({ outcome }) => outcome === 'different')).toEqual([]);
    expect(report.prompts.filter(({ difference, skipped }) => difference !== null || skipped !== null)).toEqual([]);
    expect(report.calls.length).toBeGreaterThan(0);
    expect(renderReplay(report)).toContain(': the same again\n');
  });
});

describe('what came out otherwise', () => {
  const editing = (): Session => ({
    prompts: ['go', 'more'],
    more: bypass,
    replies: [
      { calls: [call('ReadFile', { path: here('a.txt') })] },
      { text: 'ok' },
      { calls: [call('Bash', { command: 'cat a.txt > copy.txt; cat a.txt' }), call('Grep', { pattern: 'TODO' })] },
      { text: 'ok' },
    ],
  });

  /** The test with one text changed wherever a pattern finds it. */
  const planted = async (from: string, to: string): Promise<ReplayReport> => {
    const path = await asTest(await record(editing()));
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replaceAll(from, to));
    return replay(path);
  };

  test('in a result is named by turn, call, tool and line', async () => {
    const report = await planted('<output>\\nalpha\\nbeta\\n', '<output>\\nalpha\\nbetta\\n');
    expect(renderReplay(report)).toContain(
      'it went otherwise\nturn 2, call toolu_3_0, Bash: its result differs from line 3\n  recorded: "betta"\n  replayed: "beta"\n',
    );
    expect(report.calls.filter(({ outcome }) => outcome === 'different').map(({ id }) => id)).toEqual(['toolu_3_0']);
  });

  test('in a file is named by its path', async () => {
    const path = await asTest(await record(editing()));
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"effect"') && line.includes('copy.txt'));
    writeFileSync(path, lines.with(at, lines[at]?.replaceAll('copy.txt', 'other.txt') ?? '').join('\n'));
    expect(renderReplay(await replay(path))).toMatch(
      /turn 2, call toolu_3_0, Bash: what it did to files differs from line 1\n {2}recorded: "copy\.txt was left as it is"\n {2}replayed: "copy\.txt became a file of mode \d+"/,
    );
  });

  test('in a decision is an event that differs', async () => {
    const path = await asTest(await record({ prompts: ['read a.txt'] }));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"outcome":"done"', '"outcome":"max_turns"'));
    const report = await replay(path);
    expect(report.calls.some(({ outcome }) => outcome === 'different')).toBe(false);
    expect(renderReplay(report)).toMatch(
      /turn 1: its events differ from line \d+\n {2}recorded: "run ends: max_turns"\n {2}replayed: "run ends: done"/,
    );
  });
});

test('what was not run is not run, nothing outside of the copy is changed, and the person’s own folder is left alone', async () => {
  const outside = join(base, 'outside.txt');
  const id = await record({
    prompts: ['go'],
    more: bypass,
    replies: [
      {
        calls: [
          call('WriteFile', { path: outside, content: 'then\n' }),
          call('WriteFile', { path: here('in.txt'), content: 'in\n' }),
        ],
      },
      { text: 'ok' },
    ],
  });
  expect(readFileSync(outside, 'utf8')).toBe('then\n');
  rmSync(outside);
  rmSync(here('in.txt'));
  const recording = await openRecording({ cwd: root, folders: userFolders({ HOME: join(base, 'home') }), id });
  const signal = new AbortController().signal;
  const request = { environment: process.env, folder: null, acceptUnsandboxed: true, signal };
  const undecided = { ...recording, records: recording.records.filter((record) => record?.['type'] !== 'permission_decided') };
  const report = await replaySession(recording, request);
  const nothing = await replaySession(undecided, request);
  recording.close();
  expect(report.calls.map(({ outcome }) => outcome)).toEqual(['different', 'equal']);
  expect(report.calls[0]?.difference?.actual).toContain('a replay changes nothing outside of its folder');
  expect(nothing.calls.map(({ difference }) => difference?.actual)).toEqual([
    expect.stringContaining('it was not run in the session'),
    expect.stringContaining('it was not run in the session'),
  ]);
  expect([existsSync(outside), existsSync(here('in.txt')), existsSync(report.folder)]).toEqual([false, false, false]);
});

test.each([
  ['by another process', false],
  ['in the chat', true],
] as const)(
  'a session that was rewound %s is played along the branch that stands, from the files that it had',
  async (_by, isOneProcess) => {
    const id = await record({
      prompts: ['one', 'two', 'three', 'four'],
      more: bypass,
      isOneProcess,
      between: async ({ id: sessionId, count, open }) => {
        const choice = [null, null, { toTurn: 1, part: 'both' }, { toTurn: 1, part: 'conversation' }] as const;
        const chosen = choice[count] ?? null;
        if (chosen === null) return;
        const place = {
          cwd: root,
          folders: userFolders({ ...process.env, HOME: join(base, 'home'), XDG_STATE_HOME: '' }),
          sessionId,
        };
        if (open === null) await rewindSession(place, chosen, false);
        else await open.rewind(chosen);
      },
      replies: ['one', 'two', 'three', 'four'].flatMap((name) => [
        { calls: [call('Bash', { command: `echo ${name} >> a.txt; cat a.txt` })] },
        { text: 'ok' },
      ]),
    });
    expect(readFileSync(here('a.txt'), 'utf8')).toBe('alpha\nbeta\none\nthree\nfour\n');
    const report = await replay(await asTest(id));
    expect(report.prompts.map(({ prompt, difference }) => [prompt, difference])).toEqual([
      [1, null],
      [4, null],
    ]);
    expect(report.calls.map(({ id: callId, prompt, outcome }) => [callId, prompt, outcome])).toEqual([
      ['toolu_1_0', 1, 'equal'],
      ['toolu_7_0', 4, 'equal'],
    ]);
  },
);

test('a session without its starting files is refused by name, and runs in the folder that is given', async () => {
  const id = await record({ prompts: ['read a.txt'] });
  const folders = userFolders({ HOME: join(base, 'home') });
  const recording = await openRecording({ cwd: root, folders, id });
  const old = { ...recording, starts: [] };
  const request = { environment: process.env, acceptUnsandboxed: true, signal: new AbortController().signal };
  await expect(replaySession(old, { ...request, folder: null })).rejects.toMatchObject({
    code: 'replay_impossible',
    message: expect.stringContaining(`No starting state of the session ${id} is on record`),
  });
  expect(() => makeTest(old, join(base, 'x'), [])).toThrow(/it holds no starting state/);
  expect((await replaySession(old, { ...request, folder: root })).calls).toMatchObject([{ outcome: 'equal' }]);
  writeFileSync(here('a.txt'), 'other\n');
  expect((await replaySession(old, { ...request, folder: root })).calls).toMatchObject([
    {
      outcome: 'different',
      difference: { expected: expect.stringContaining('alpha'), actual: expect.stringContaining('other') },
    },
  ]);
  recording.close();
});

test('a test holds no key and no file of secrets, and is not written over another file', async () => {
  writeFileSync(here('.env'), 'KEY=hidden-in-env-file\n');
  const secret = 'sk-from-environment-1';
  const id = await record({ prompts: [`read a.txt ${secret}`] });
  const environment = { HOME: join(base, 'home'), OPENAI_API_KEY: secret };
  const recording = await openRecording({ cwd: root, folders: userFolders(environment), id });
  const path = join(base, 'x.jsonl');
  expect(makeTest(recording, path, secretsIn(environment, new Map()))).toMatchObject({ leftOut: ['.env'] });
  const text = readFileSync(path, 'utf8');
  expect([text.includes('hidden-in-env-file'), text.includes(secret)]).toEqual([false, false]);
  expect(() => makeTest(recording, path, [])).toThrow(/is there already/);
  recording.close();
  writeFileSync(path, 'notes');
  expect(() => readTest(path)).toThrow(/it does not begin like a test/);
});
