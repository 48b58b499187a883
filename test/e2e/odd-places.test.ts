import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer | null = null;
afterEach(async () => {
  scratch.remove();
  await server?.close();
  server = null;
});

const SESSIONS = '.local/state/wield/sessions';

function sessionsFolder(): string {
  const [project = ''] = readdirSync(join(scratch.home, SESSIONS));
  return join(scratch.home, SESSIONS, project);
}

/** Starts a server, says hello once, and returns the file of the session that this made. */
async function saidHello(): Promise<string> {
  server = await startAnthropicServer([{ text: 'Hello.' }]);
  await wield('-p', 'hello');
  const [name = ''] = readdirSync(sessionsFolder());
  return join(sessionsFolder(), name);
}

function wield(...args: string[]) {
  return runWield(scratch, args, { env: server === null ? {} : anthropicAt(server.url) });
}

describe('an odd home', () => {
  test.each([
    { HOME: '', XDG_STATE_HOME: '{state}' },
    { HOME: 'relative', XDG_STATE_HOME: '{state}' },
    { XDG_STATE_HOME: 'state', XDG_CONFIG_HOME: '' },
  ])('%j leaves nothing in the workspace', async (env) => {
    scratch = createScratch();
    const state = join(scratch.home, 'elsewhere');
    const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('{state}', state)]));
    const run = await runWield(scratch, ['-p', 'hello', '--model', 'demo'], { env: given });
    expect(run.code).toBe(0);
    expect(readdirSync(scratch.root)).toEqual([]);
  });

  test('behind a link, long output is still of this session, and credentials are still secret', async () => {
    scratch = createScratch();
    mkdirSync(join(scratch.home, '.ssh'));
    writeFileSync(join(scratch.home, '.ssh/config'), 'Host secret-host\n');
    const link = `${scratch.home}-link`;
    symlinkSync(scratch.home, link);
    server = await startAnthropicServer([
      { calls: [{ name: 'Bash', input: { command: 'seq 1 100000' } }] },
      (request) => {
        const path = /\/[^\s"\\]+\/output-\w+\.txt/.exec(JSON.stringify(request.messages))?.[0];
        return { calls: [{ name: 'ReadFile', input: { path, offset: 50_000, limit: 2 } }] };
      },
      { calls: [{ name: 'ReadFile', input: { path: join(link, '.ssh/config') } }] },
    ]);
    const args = ['-p', 'x', '--allowedTools', 'Bash(seq 1 100000)'];
    const run = await runWield(scratch, args, { env: { ...anthropicAt(server.url), HOME: link } });
    expect(JSON.stringify(server.requests[2]?.messages.at(-1))).toContain('50001');
    expect(run.stderr).toContain('denied: ReadFile, because ~/.ssh holds credentials');
    expect(run.stderr).not.toContain('outside the workspace');
  });
});

describe('hostile files of a trusted folder', () => {
  const makers: Record<string, (path: string) => void> = {
    'a FIFO': (path) => void spawnSync('mkfifo', [path]),
    'a directory': (path) => mkdirSync(path),
    'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
    'a huge file': (path) => {
      writeFileSync(path, 'x');
      truncateSync(path, 2 ** 31);
    },
    'a link out of the repository': (path) => {
      writeFileSync(join(scratch.home, 'id_rsa'), '{"model":"PRIVATE KEY"}');
      symlinkSync(join(scratch.home, 'id_rsa'), path);
    },
  };

  test.each(Object.entries(makers))('CLAUDE.md that is %s is a line, and is not read', async (_name, make) => {
    scratch = createScratch();
    make(scratch.path('CLAUDE.md'));
    server = await startAnthropicServer([{ text: 'Hello.' }]);
    const run = await wield('-p', 'hello', '--trust');
    expect(run).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(run.stderr).toContain(`Not loaded: ${scratch.path('CLAUDE.md')} (it `);
    expect(JSON.stringify(server.requests)).not.toContain('PRIVATE KEY');
  });

  test.each(Object.entries(makers))('.wield/settings.json that is %s is config_unreadable', async (_name, make) => {
    scratch = createScratch({ '.wield/.keep': '' });
    make(scratch.path('.wield/settings.json'));
    const run = await wield('-p', 'hello', '--trust');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`error config_unreadable: The settings file ${scratch.path('.wield/settings.json')}`);
    expect(run.stderr).not.toContain('PRIVATE KEY');
  });

  test('a link inside the repository is followed', async () => {
    scratch = createScratch({ 'docs/rules.md': 'Always whistle.\n' });
    symlinkSync('docs/rules.md', scratch.path('AGENTS.md'));
    server = await startAnthropicServer([{ text: 'Hello.' }]);
    await wield('-p', 'hello', '--trust');
    expect(JSON.stringify(server.requests[0])).toContain('Always whistle.');
  });
});

describe('odd sessions', () => {
  test('damaged content is a line to say, and the rest goes on', async () => {
    scratch = createScratch();
    const path = await saidHello();
    const damaged = [null, 5, { type: 'text' }, { type: 'constructor' }].map(
      (block) => `${JSON.stringify({ type: 'message_added', message: { role: 'user', content: [block] } })}\n`,
    );
    writeFileSync(path, readFileSync(path, 'utf8') + damaged.join(''));
    const run = await wield('-p', 'again', '--continue');
    expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(run.stderr).toMatch(/The session file has 4 damaged line\(s\) \(\d+, \d+, \d+, \d+\)/);
    expect(server?.faults).toEqual([]);
    expect(server?.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('what is no file does not stand in the way of --continue', async () => {
    scratch = createScratch();
    const path = await saidHello();
    const folder = dirname(path);
    symlinkSync('/nowhere', join(folder, 'dangling.jsonl'));
    mkdirSync(join(folder, 'folder.jsonl'));
    spawnSync('mkfifo', [join(folder, 'pipe.jsonl')]);
    expect(await wield('-p', 'again', '--continue')).toMatchObject({ code: 0, stdout: 'done\n' });
    for (const name of ['folder', 'pipe']) {
      const run = await wield('-p', 'again', '--resume', name);
      expect(run.code).toBe(2);
      expect(run.stderr).toBe(
        `error session_unreadable: ${join(folder, name)}.jsonl cannot be read as a session: it is not a regular file.\n  Start a new one, or mend the file; it was not touched.\n`,
      );
    }
  });

  test('the id is the name of the file, whatever its header says', async () => {
    scratch = createScratch();
    const path = await saidHello();
    const [header = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const evil = JSON.stringify({ ...(JSON.parse(header) as object), id: '../../../evil' });
    writeFileSync(join(dirname(path), 'mine.jsonl'), [evil, ...rest].join('\n'));
    const run = await wield('-p', 'again', '--resume', 'mine', '--output-format', 'json');
    expect(JSON.parse(run.stdout)).toMatchObject({ session_id: 'mine' });
  });

  test.each(['../../x', '..', 'a/b', '', 'none', 'x'.repeat(300)])(
    '--resume %j is no session, in the words typed',
    async (id) => {
      scratch = createScratch();
      const run = await wield('-p', 'again', '--resume', id);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`error session_missing: There is no session ${id} here.\n`);
    },
  );
});

describe('a state folder that cannot be used', () => {
  test('a session that cannot be kept is one line, before the model is asked', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'Hello.' }]);
    // Also root cannot make a folder below a file.
    mkdirSync(join(scratch.home, '.local'));
    writeFileSync(join(scratch.home, '.local/state'), '');
    const run = await wield('-p', 'hello');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      new RegExp(
        `^error session_write_failed: The session could not be written to ${scratch.home}/${SESSIONS}/\\S+: ENOTDIR.*\\.\\n  See what stands at that path.*\\n$`,
      ),
    );
    expect(server.requests).toEqual([]);
  });

  test('a file is edited without a record, and one with other names, which needs it, is not', async () => {
    scratch = createScratch({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    linkSync(scratch.path('b.txt'), scratch.path('c.txt'));
    const state = join(scratch.home, 'state');
    writeFileSync(state, '');
    const edit = (name: string, old_string: string) =>
      runWield(
        scratch,
        ['tool', 'run', 'EditFile', '--input', JSON.stringify({ path: scratch.path(name), old_string, new_string: 'new' })],
        { env: { XDG_STATE_HOME: state } },
      );
    expect(await edit('a.txt', 'one')).toMatchObject({ code: 0 });
    expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('new\n');
    const run = await edit('b.txt', 'two');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      `${scratch.path('b.txt')}: nothing was written, because a write like this one needs a record in ${state}/wield/writes`,
    );
    expect(readFileSync(scratch.path('c.txt'), 'utf8')).toBe('two\n');
    expect(readdirSync(scratch.root).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test('several files are not changed without a record', async () => {
    scratch = createScratch({ 'a.txt': 'one\n', 'b.txt': 'two\n', state: '' });
    const files = createLocalFiles({ tracksSeen: false, journalFolder: scratch.path('state/writes') });
    const deletions = ['a.txt', 'b.txt'].map((name) => ({ path: scratch.path(name), bytes: null, expect: 'any' }) as const);
    await expect(files.transact(deletions)).rejects.toThrow(`needs a record in ${scratch.path('state/writes')}`);
    expect(readdirSync(scratch.root).toSorted()).toEqual(['a.txt', 'b.txt', 'state']);
  });
});

const canBeNobody =
  process.getuid?.() === 0 && spawnSync('setpriv', ['--reuid=65534', '--clear-groups', process.execPath, '-v']).status === 0;

describe.skipIf(!canBeNobody)('as an ordinary user (skipped where setpriv cannot make one)', () => {
  test('a read-only home says so, and to make it writable', () => {
    scratch = createScratch();
    chmodSync(dirname(scratch.root), 0o755);
    const main = join(import.meta.dirname, '../../src/cli/main.ts');
    const args = ['--reuid=65534', '--clear-groups', process.execPath, main, '-p', 'hello', '--model', 'demo'];
    const { status, stdout, stderr } = spawnSync('setpriv', args, {
      cwd: scratch.root,
      env: { PATH: process.env['PATH'], HOME: scratch.home },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error session_write_failed: .*EACCES: permission denied.*\n {2}Make that folder writable.*\n$/);
    expect(existsSync(join(scratch.home, '.local'))).toBe(false);
  });
});
