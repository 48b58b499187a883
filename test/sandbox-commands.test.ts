import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Confinement, SandboxMode } from '../src/core/permission.ts';
import type { ConfinedShell, ShellOutcome } from '../src/core/ports.ts';
import { SpillStore } from '../src/host/files/spill.ts';
import { createJobTable } from '../src/host/process/job-table.ts';
import { createLocalShell } from '../src/host/process/local-shell.ts';
import { openSandbox } from '../src/host/sandbox/open-sandbox.ts';
import type { Sandbox, SandboxPlace } from '../src/host/sandbox/sandbox.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-confined-')));
const state = join(base, 'state');
const place: SandboxPlace = {
  workspace: join(base, 'workspace'),
  addDirs: [],
  home: join(base, 'home'),
  state,
  config: join(base, 'config'),
  mode: 'workspace-write',
  environment: { ...process.env, HOME: join(base, 'home') },
};
const CONFINED: Confinement = { writes: 'workspace', network: false, writable: [], readable: [] };
mkdirSync(place.workspace, { recursive: true });
const sandbox = await openSandbox(place);
const hasNone = sandbox.kind === 'none';

const noted: { readonly command: string; readonly network: boolean; readonly writes: readonly string[] }[] = [];

beforeEach(() => {
  noted.length = 0;
  for (const folder of [place.workspace, place.home]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function shellOf(opened: Sandbox): ConfinedShell {
  return createLocalShell({
    spills: new SpillStore(join(state, 'output')),
    environment: place.environment,
    sandbox: async () => opened,
    onDenied: (command, denied) => noted.push({ command, network: denied.network, writes: denied.writes }),
  });
}

interface Run extends Partial<Confinement> {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly opened?: Sandbox;
  readonly cwd?: string;
}

function run(
  command: string,
  { timeoutMs = 20_000, signal = new AbortController().signal, opened = sandbox, cwd = place.workspace, ...granted }: Run = {},
): Promise<ShellOutcome> {
  return shellOf(opened).run({ command, cwd, timeoutMs, signal }, { ...CONFINED, ...granted });
}

function withMode(mode: SandboxMode): Promise<Sandbox> {
  return openSandbox({ ...place, mode });
}

function put(path: string, text = 'text\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const inWorkspace = (name: string): string => join(place.workspace, name);

describe.skipIf(hasNone)('a command in the sandbox', () => {
  test('writes in the workspace, and scratch files last until the next command', async () => {
    expect(await run('echo one > made; mkdir -p a/b; echo two > /tmp/kept')).toMatchObject({ exitCode: 0, output: '' });
    expect(readFileSync(inWorkspace('made'), 'utf8')).toBe('one\n');
    expect(await run('cat /tmp/kept "$TMPDIR/kept"')).toMatchObject({ output: 'two\ntwo\n' });
  });

  test('gets its output in order, its exit code, and no file of ours', async () => {
    expect(await run('echo out; echo err >&2; echo x >/dev/stderr; exit 3')).toMatchObject({
      output: 'out\nerr\nx\n',
      exitCode: 3,
    });
    expect((await run('ls /proc/self/fd | sort -n | tail -1')).output).toBe('3\n');
  });

  test('is told what it could not write, and the policy is', async () => {
    const outcome = await run('echo x > /usr/local/share/wield-test');
    expect(outcome.exitCode).toBe(1);
    expect(noted).toEqual([{ command: 'echo x > /usr/local/share/wield-test', network: false, writes: ['/usr/local/share'] }]);
    expect(outcome.denials).toEqual([
      'The sandbox kept it from writing to /usr/local/share. If the task needs it, run exactly this command again: the person is asked for that then.',
    ]);
  });

  test('is told that it has no network', async () => {
    const script = `require('dns').lookup('example.com', (e) => { console.error(e.message); process.exit(1); })`;
    const outcome = await run(`"${process.execPath}" -e "${script}"`);
    expect(outcome.exitCode).toBe(1);
    expect(noted).toMatchObject([{ network: true, writes: [] }]);
    expect(outcome.denials[0]).toContain('the person is asked for the network then');
  });

  test('writes nothing where it was granted to read only, and what it was granted besides', async () => {
    const outside = put(join(base, 'beside/file'));
    expect(await run('echo x > made', { writes: 'nothing' })).toMatchObject({ exitCode: 1 });
    expect(await run(`cat ${outside}`)).toMatchObject({ exitCode: 1 });
    expect(await run(`cat ${outside}`, { readable: [outside] })).toMatchObject({ output: 'text\n' });
    expect(await run(`echo new > ${outside}`, { writable: [outside] })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(outside, 'utf8')).toBe('new\n');
  });

  test("the person's mode is the limit of every grant", async () => {
    const readOnly = await withMode('read-only');
    expect(await run('echo x > made', { opened: readOnly, writes: 'anything' })).toMatchObject({ exitCode: 1 });
    expect(await withMode('danger-full-access')).toMatchObject({ kind: 'none' });
    expect((await run('test -e $HOME && grep -c NoNewPrivs:.0 /proc/self/status', { writes: 'anything' })).output).toBe('1\n');
  });

  test('commits, and cannot rule what git runs later', async () => {
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    put(inWorkspace('a.txt'));
    const commit = await run(
      'git add -A && git -c user.name=a -c user.email=a@example.com commit -qm first && git log --format=%s',
    );
    expect(commit).toMatchObject({ exitCode: 0, output: 'first\n' });
    expect(await run('git config core.pager evil')).not.toMatchObject({ exitCode: 0 });
    expect(noted).toMatchObject([{ command: 'git config core.pager evil', writes: [inWorkspace('.git/config')] }]);
    expect(await run('git config core.pager fine', { writable: [inWorkspace('.git/config')] })).toMatchObject({ exitCode: 0 });
  });

  test('commits in a worktree, whose repository is elsewhere', async () => {
    const repository = join(base, 'repository');
    rmSync(repository, { recursive: true, force: true });
    const script = `git init -q ${repository} && cd ${repository} && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first && git worktree add -q ${place.workspace} -b other`;
    execFileSync('/bin/sh', ['-c', script]);
    const commit = await run(
      'echo x > f; git add f && git -c user.name=a -c user.email=a@example.com commit -qm second && git log --format=%s',
    );
    expect(commit).toMatchObject({ exitCode: 0, output: 'second\nfirst\n' });
    expect(await run(`echo evil > ${repository}/.git/hooks/pre-commit`)).toMatchObject({ exitCode: 1 });
  });

  test('a .git file that its repository does not know opens nothing', async () => {
    const other = join(base, 'other');
    execFileSync('git', ['init', '-q', other]);
    put(inWorkspace('.git'), `gitdir: ${other}/.git\n`);
    expect(await run(`echo x > ${other}/.git/planted`)).toMatchObject({ exitCode: 1 });
    expect(existsSync(join(other, '.git/planted'))).toBe(false);
  });

  test('what it makes that runs later on its own is told', async () => {
    expect((await run('mkdir .vscode; echo x > .envrc')).denials).toEqual([
      'It made .envrc, .vscode, which other programs run later on their own: look at what is in there before you go on.',
    ]);
    expect((await run('echo more >> .envrc; true')).denials).toEqual([]);
  });

  test('a home that is the workspace shows none of its secrets', async () => {
    put(join(place.home, '.ssh/id_rsa'), 'secret\n');
    put(join(place.home, '.netrc'), 'secret\n');
    const opened = await openSandbox({ ...place, workspace: place.home });
    expect((await run('echo x > made; cat .ssh/id_rsa .netrc; ls .ssh', { opened, cwd: place.home })).output).not.toContain(
      'secret',
    );
    expect(existsSync(join(place.home, 'made'))).toBe(true);
    const around = await run(`ls -a ${place.home}; cat ${place.home}/.ssh/id_rsa`, {
      opened,
      cwd: place.home,
      readable: [place.home],
    });
    expect(around.output).not.toContain('secret');
  });

  test('the machine as a whole is never what may be written', async () => {
    const opened = await openSandbox({ ...place, workspace: '/' });
    expect(await run('touch /etc/wield-test /usr/wield-test', { opened, cwd: '/' })).toMatchObject({ exitCode: 1 });
  });
});

describe.skipIf(hasNone)('the end of a command in the sandbox', () => {
  test('what it leaves running is ended and told by name', async () => {
    const { ended, survivors, output } = await run('sleep 100 & (setsid env -i sleep 100 &) ; echo started');
    expect(output).toBe('started\n');
    expect(ended).toEqual(expect.arrayContaining([expect.stringMatching(/^sleep \(pid \d+\)$/)]));
    expect(survivors).toEqual([]);
  });

  test('what reads the last of a pipeline gets its moment', async () => {
    expect((await run('echo last > >(cat)')).output).toBe('last\n');
  });

  test('at the deadline a program can still clean up', async () => {
    const outcome = await run("trap 'echo cleaned; exit' TERM; echo on; sleep 100 & wait", { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ timedOut: true, output: 'on\ncleaned\n', survivors: [] });
  });

  test('an abort ends it', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    expect(await run('sleep 100', { signal: abort.signal })).toMatchObject({ aborted: true, survivors: [] });
  });

  test('in the background it is told what it was kept from, and so is who asks', async () => {
    const jobs = createJobTable({
      spills: new SpillStore(join(state, 'output')),
      environment: place.environment,
      sandbox: async () => sandbox,
      onDenied: (command, { network, writes }) => noted.push({ command, network, writes }),
    });
    const command = 'echo x > /usr/local/share/wield-test';
    const { id } = await jobs.start({ command, cwd: place.workspace }, CONFINED);
    while (jobs.list()[0]?.state === 'running') await sleep(20);
    expect((await jobs.readNew(id))?.text).toContain('run exactly this command again');
    expect(noted).toEqual([{ command, network: false, writes: ['/usr/local/share'] }]);
  });

  test('a job runs confined and is killed whole', async () => {
    const jobs = createJobTable({
      spills: new SpillStore(join(state, 'output')),
      environment: place.environment,
      sandbox: async () => sandbox,
    });
    const job = await jobs.start(
      { command: 'echo x > /etc/wield-test; echo $?; sleep 100 & wait', cwd: place.workspace },
      CONFINED,
    );
    let text = '';
    while (!text.includes('1\n')) {
      await sleep(20);
      text += (await jobs.readNew(job.id))?.text ?? '';
    }
    expect(await jobs.kill(job.id)).toMatchObject({ state: 'killed' });
  });
});

test('without bubblewrap it says so, and what would help', async ({ skip }) => {
  if (existsSync('/usr/bin/bwrap') || existsSync('/usr/local/bin/bwrap')) skip('bwrap is here');
  expect((await openSandbox({ ...place, environment: { PATH: '/nowhere' } })).why).toContain('Install the package bubblewrap');
});
