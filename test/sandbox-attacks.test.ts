import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Confinement } from '../src/core/permission.ts';
import type { ShellOutcome } from '../src/core/ports.ts';
import { SpillStore } from '../src/host/files/spill.ts';
import { createLocalShell } from '../src/host/process/local-shell.ts';
import { openSandbox } from '../src/host/sandbox/open-sandbox.ts';
import type { SandboxPlace } from '../src/host/sandbox/sandbox.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-attacks-')));
const home = join(base, 'home');
const workspace = join(base, 'around', 'workspace');
const own: SandboxPlace = {
  workspace,
  addDirs: [],
  home,
  state: join(home, '.local/state/wield'),
  config: join(home, '.config/wield'),
  mode: 'workspace-write',
  environment: { ...process.env, HOME: home },
};
mkdirSync(workspace, { recursive: true });
const hasNone = (await openSandbox(own)).kind === 'none';

beforeEach(() => {
  for (const folder of readdirSync(base)) rmSync(join(base, folder), { recursive: true, force: true });
  for (const folder of [workspace, home]) mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Run extends Partial<Confinement> {
  readonly place?: Partial<SandboxPlace>;
}

async function run(command: string, { place: changes = {}, ...granted }: Run = {}): Promise<ShellOutcome> {
  const place = { ...own, ...changes };
  const sandbox = await openSandbox(place);
  const shell = createLocalShell({
    spills: new SpillStore(join(place.state, 'output')),
    environment: place.environment,
    sandbox: async () => sandbox,
  });
  const confinement: Confinement = { writes: 'workspace', network: false, writable: [], readable: [], ...granted };
  const signal = new AbortController().signal;
  try {
    return await shell.run({ command, cwd: place.workspace, timeoutMs: 20_000, signal }, confinement);
  } finally {
    sandbox.close();
  }
}

function put(path: string, text = 'as it was\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function inWorkspace(name: string): string {
  return join(workspace, name);
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}

const HOME_AS_WORKSPACE = { place: { workspace: home } };
const CLOSED = 'cannot be opened to a command';

describe.skipIf(hasNone)('a grant', () => {
  test.each([
    ['the home', home],
    ['what is around the home', base],
    ['what is around the workspace', join(base, 'around')],
    ['the machine', '/'],
    ['the system', '/etc'],
    ['a part of the system', '/usr/bin'],
    ['the folder of all scratch files', '/var/tmp'],
    ['our settings', join(home, '.config/wield')],
    ['what is around our settings', join(home, '.config')],
    ['our sessions', join(home, '.local/state/wield/sessions')],
    ['what is not there, in the home', join(home, 'new')],
  ])('never opens %s', async (_, path) => {
    for (const name of ['.config/wield/settings.json', '.local/state/wield/sessions/log', '.ssh/id_rsa'])
      put(join(home, name), 'secret\n');
    const place = path === '/' ? '/usr' : path;
    const outcome = await run(
      `cd ${home}; cat .ssh/id_rsa .config/wield/* .local/state/wield/sessions/*; touch ${place}/wield-planted`,
      {
        writable: [path],
      },
    );
    const planted = join(place, 'wield-planted');
    const isPlanted = existsSync(planted);
    rmSync(planted, { force: true });
    expect(outcome.output).not.toContain('secret');
    expect(isPlanted).toBe(false);
    if (path !== '/') expect(outcome.denials).toContainEqual(expect.stringContaining(CLOSED));
  });

  test('never opens a socket, a pipe or a device', async () => {
    execFileSync('mkfifo', [join(base, 'pipe')]);
    expect((await run('true', { writable: [join(base, 'pipe')] })).denials).toEqual([expect.stringContaining(CLOSED)]);
  });

  test('opens the folder around what is not there yet', async () => {
    mkdirSync(join(base, 'beside'));
    const path = join(base, 'beside/deep/new');
    expect(await run(`mkdir -p ${dirname(path)} && echo x > ${path}`, { writable: [path] })).toMatchObject({
      exitCode: 0,
      denials: [],
    });
    expect(textOf(path)).toBe('x\n');
  });

  test('of the workspace itself, or of its git folder, leaves what rules there as it is', async () => {
    for (const name of ['.git/HEAD', '.git/hooks/pre-commit', '.envrc']) put(inWorkspace(name));
    const script =
      'echo x > made; echo x > .git/made; mv .git g2; echo x > .envrc; echo x > .git/hooks/pre-commit; ls -A; mv .git g2';
    const options = { writes: 'nothing', writable: [workspace, inWorkspace('.git')] } as const;
    const { output, denials } = await run(script, options);
    expect(output).toMatch(/\n\.envrc\n\.git\nmade\n/);
    expect(denials).toContainEqual(expect.stringContaining(`${inWorkspace('.git')}, which ${CLOSED}`));
    expect(['.git/made', '.git/hooks/pre-commit', '.envrc'].map((name) => textOf(inWorkspace(name)))).toEqual([
      'x\n',
      'as it was\n',
      'as it was\n',
    ]);
  });

  test('of a folder protects in it what is protected in the workspace', async () => {
    const other = join(base, 'other');
    for (const name of ['.git/hooks/pre-commit', '.envrc', '.github/workflows/ci.yml']) put(join(other, name));
    const script =
      'echo x > .git/hooks/pre-commit; echo x > .envrc; mv .github g; mv .git g; echo x > .git/commondir; echo x > .bashrc; echo x > made';
    const { denials } = await run(`cd ${other}; ${script}`, { writable: [other] });
    expect(readdirSync(other).toSorted()).toEqual(['.bashrc', '.envrc', '.git', '.github', 'made']);
    expect(['.git/hooks/pre-commit', '.envrc'].map((name) => textOf(join(other, name)))).toEqual(['as it was\n', 'as it was\n']);
    expect(denials).toContainEqual(expect.stringContaining(`It made ${other}/.git/commondir`));
    expect(denials).toContainEqual(expect.stringContaining('It made .bashrc'));
  });
});

describe.skipIf(hasNone)('a home that is the workspace', () => {
  test('keeps its secrets covered when the folders around them are renamed', async () => {
    const secrets = [
      '.config/gh/hosts.yml',
      '.config/wield/settings.json',
      '.local/state/wield/sessions/log',
      '.cargo/credentials.toml',
    ];
    for (const name of secrets) put(join(home, name), 'secret\n');
    // A mount goes with its folder, so the harm is done by the next command.
    await run('for d in .config .local/state .local .cargo; do mv $d moved-${d##*/}; done', HOME_AS_WORKSPACE);
    const { output } = await run('grep -rs secret . ; true', HOME_AS_WORKSPACE);
    expect(output).not.toContain('secret');
  });

  test('has our folders covered also where they are not there yet', async () => {
    await run('mkdir -p .config/wield; echo planted > .config/wield/settings.json', HOME_AS_WORKSPACE);
    expect(existsSync(join(home, '.config/wield/settings.json'))).toBe(false);
  });

  test('is told to the person, and so is what the home starts', async () => {
    expect((await openSandbox({ ...own, workspace: home })).notes).toEqual([
      expect.stringContaining('The workspace is your home'),
    ]);
    const { denials } = await run('mkdir -p .config/autostart; echo x > .bash_aliases', HOME_AS_WORKSPACE);
    expect(denials).toEqual([expect.stringMatching(/^It made \.bash_aliases, \.config\/autostart, which/)]);
  });
});

describe.skipIf(hasNone)('a fake program', () => {
  test('is never what confines, wherever a link to it stands', async () => {
    const fake = put(inWorkspace('bin/bwrap'), '#!/bin/sh\necho FAKE\n');
    chmodSync(fake, 0o755);
    symlinkSync(inWorkspace('bin'), join(base, 'link'));
    const environment = { ...own.environment, PATH: `${base}/link:${process.env['PATH']}` };
    expect((await run('echo real', { place: { environment } })).output).toBe('real\n');
    expect((await run('echo real', { place: { environment, workspace: home, addDirs: [workspace] } })).output).toBe('real\n');
  });
});

describe.skipIf(hasNone)('a link in the place of what is protected', () => {
  test('leads where it led, and what it leads to cannot be written', async () => {
    put(inWorkspace('tools/hooks/pre-commit'));
    put(inWorkspace('docs/agents.md'));
    put(inWorkspace('.git/HEAD'), 'ref: refs/heads/main\n');
    symlinkSync('../tools/hooks', inWorkspace('.git/hooks'));
    symlinkSync('docs/agents.md', inWorkspace('AGENTS.md'));
    const { denials } = await run(
      'echo x > tools/hooks/pre-commit; mv tools t2; echo x > docs/agents.md; mv docs d2; mkdir evil; ln -sfn ../evil .git/hooks; rm AGENTS.md; echo x > AGENTS.md',
    );
    expect([readlinkSync(inWorkspace('.git/hooks')), readlinkSync(inWorkspace('AGENTS.md'))]).toEqual([
      '../tools/hooks',
      'docs/agents.md',
    ]);
    expect([textOf(inWorkspace('tools/hooks/pre-commit')), textOf(inWorkspace('AGENTS.md'))]).toEqual([
      'as it was\n',
      'as it was\n',
    ]);
    expect(denials).toEqual([
      expect.stringContaining(`It changed the link ${inWorkspace('.git/hooks')}`),
      expect.stringContaining(`It changed the link ${inWorkspace('AGENTS.md')}`),
    ]);
  });

  test('may stand in the home, for files that a person keeps in a repository', async () => {
    put(inWorkspace('shell/bashrc'));
    put(inWorkspace('git/settings'), '[user]\n\tname = me\n');
    symlinkSync(inWorkspace('shell/bashrc'), join(home, '.bashrc'));
    symlinkSync(inWorkspace('git/settings'), join(home, '.gitconfig'));
    const { output } = await run('echo x > shell/bashrc; echo x > git/settings; mv shell s2; git config user.name');
    expect(output).toMatch(/\nme\n$/);
    expect([textOf(inWorkspace('shell/bashrc')), textOf(inWorkspace('git/settings'))]).toEqual([
      'as it was\n',
      '[user]\n\tname = me\n',
    ]);
  });

  test('may be the folder of git itself', async () => {
    mkdirSync(inWorkspace('store'));
    execFileSync('git', ['init', '-q', '--separate-git-dir', inWorkspace('store/git'), workspace]);
    rmSync(inWorkspace('.git'));
    symlinkSync('store/git', inWorkspace('.git'));
    const script =
      'git config core.pager evil; echo x > store/git/hooks/pre-commit; mv store s2; rm -f .git; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit';
    const { denials } = await run(script);
    expect(readlinkSync(inWorkspace('.git'))).toBe('store/git');
    expect([
      existsSync(inWorkspace('store/git/hooks/pre-commit')),
      textOf(inWorkspace('store/git/config')).includes('evil'),
    ]).toEqual([false, false]);
    expect(denials).toContainEqual(expect.stringContaining('It changed the link'));
  });
});

describe.skipIf(hasNone)('git', () => {
  const git = (cwd: string, ...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, stdio: 'ignore' });

  test('runs no hooks that a command wrote where the configuration names them', async () => {
    git(workspace, 'init', '-q');
    put(inWorkspace('tools/git/hooks/pre-commit'));
    put(inWorkspace('tools/settings'), '');
    git(workspace, 'config', 'core.hooksPath', 'tools/git/hooks');
    git(workspace, 'config', 'include.path', '../tools/settings');
    await run('echo x > tools/git/hooks/pre-commit; mv tools t2; mv tools/git t3; echo "[core] pager = evil" > tools/settings');
    expect([textOf(inWorkspace('tools/git/hooks/pre-commit')), textOf(inWorkspace('tools/settings'))]).toEqual([
      'as it was\n',
      '',
    ]);
    git(workspace, 'config', 'core.hooksPath', 'later/hooks');
    expect((await run('mkdir -p later/hooks')).denials).toEqual([
      expect.stringContaining(`It made ${inWorkspace('later/hooks')}`),
    ]);
  });

  test('keeps the main repository and the other worktrees as they are', async () => {
    const repository = join(base, 'repository');
    const other = join(base, 'second');
    git(base, 'init', '-q', repository);
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(repository, 'worktree', 'add', '-q', workspace, '-b', 'one');
    git(repository, 'worktree', 'add', '-q', other, '-b', 'two');
    rmSync(join(repository, '.git/hooks'), { recursive: true });
    const attack = `cd ${repository}/.git; mkdir hooks; echo x > config.worktree; echo x > worktrees/second/HEAD; mv worktrees w2; echo done`;
    const { denials, output } = await run(`git add -A && git commit --allow-empty -qm x; ${attack}`);
    expect(output).toContain('done');
    expect([existsSync(join(repository, '.git/hooks')), existsSync(join(repository, '.git/config.worktree'))]).toEqual([
      false,
      false,
    ]);
    expect(textOf(join(repository, '.git/worktrees/second/HEAD'))).toBe('ref: refs/heads/two\n');
    expect(denials.filter((note) => note.includes('Tell the person'))).toHaveLength(2);
    await run(attack, { place: { workspace: repository } });
    expect(textOf(join(repository, '.git/worktrees/second/HEAD'))).toBe('ref: refs/heads/two\n');
  });

  test('a new repository is told where it names a program in any way', async () => {
    const bare = 'git init -q --bare b; cp -r b/. .; rm -rf b; ';
    expect((await run('git init -q; git config diff.x.textconv evil')).denials).toEqual([
      expect.stringContaining('made a git repository'),
    ]);
    rmSync(inWorkspace('.git'), { recursive: true });
    expect((await run('git init -q; git config user.name me')).denials).toEqual([]);
    rmSync(inWorkspace('.git'), { recursive: true });
    expect((await run(`${bare} git --git-dir=. config core.gitProxy evil`)).denials).toEqual([
      expect.stringContaining('made a git repository'),
    ]);
  });
});

describe.skipIf(hasNone)('what commands see', () => {
  test('is no socket of the machine that was bound by a relative path', async () => {
    mkdirSync(inWorkspace('sub'));
    const before = process.cwd();
    const server = createServer();
    process.chdir(inWorkspace('sub'));
    await new Promise<void>((resolve) => void server.listen('host.sock', resolve));
    process.chdir(before);
    const script = `require('net').connect('sub/host.sock').on('error', (e) => console.log(e.code)).on('connect', () => console.log('IN'))`;
    const { output } = await run(`mv sub s2; "${process.execPath}" -e "${script}"`);
    await new Promise((resolve) => server.close(resolve));
    expect(output).toMatch(/EACCES|ECONNREFUSED|ENOTSOCK/);
    expect(output).not.toContain('IN');
  });

  test("is the person's name in git's settings, and none of the tokens there", async () => {
    const settings =
      '[user]\n\tname = "A \\"B\\" C"\n[url "https://me:secret-1@example.com/"]\n\tinsteadOf = x:\n[http]\n\textraHeader = secret-2\n[alias]\n\tst = status -s\n[credential]\n\thelper = secret-3\n';
    put(join(home, '.gitconfig'), settings);
    for (const options of [{}, HOME_AS_WORKSPACE]) {
      const { output } = await run('git config user.name; git config alias.st; cat ~/.gitconfig', options);
      expect(output).toMatch(/^A "B" C\nstatus -s\n/);
      expect(output).not.toContain('secret');
    }
    expect(textOf(join(home, '.gitconfig'))).toBe(settings);
  });

  test('is no token beside a tool, and of a folder on PATH no more than the programs', async () => {
    put(join(home, '.gem/credentials'), 'secret\n');
    put(join(home, '.gem/ruby/x'), 'tool\n');
    put(join(home, 'project/bin/x'), 'tool\n');
    put(join(home, 'project/.env'), 'secret\n');
    put(join(home, 'chain/bin/x'), 'tool\n');
    put(join(home, 'chain/lib/x'), 'tool\n');
    const PATH = `${home}/project/bin:${home}/chain/bin:${process.env['PATH']}`;
    const script = 'cat ~/.gem/credentials ~/project/.env 2>/dev/null; cat ~/.gem/ruby/x ~/project/bin/x ~/chain/lib/x';
    expect((await run(script, { place: { environment: { ...own.environment, PATH } } })).output).toBe('tool\ntool\ntool\n');
  });
});

describe.skipIf(hasNone)('a write that would be lost', () => {
  test('fails, and is told by its path', async () => {
    for (const path of [join(home, 'made'), '/var/tmp/wield-made']) {
      const { exitCode, denials } = await run(`echo x > ${path}`);
      expect(exitCode).toBe(1);
      expect(denials).toEqual([expect.stringContaining(`${path}, which cannot be opened to a command`)]);
    }
  });

  test('is told where the folder for it is hidden, and so is what is there and hidden', async () => {
    const secret = put(join(base, 'beside/file'));
    const note = (await run('touch ../../beside/new')).denials;
    expect(note).toEqual([expect.stringContaining(`kept it from writing to ${join(base, 'beside')}. If the task needs it`)]);
    expect((await run('cat ../../beside/file')).denials).toEqual([expect.stringContaining(`hides ${secret} from commands`)]);
    expect((await run('cat nothing; touch nowhere/x')).denials).toEqual([]);
  });

  test('but caches can be kept', async () => {
    expect(await run('echo x > ~/.cache/made && mkdir -p "$XDG_STATE_HOME/a" "$npm_config_cache"')).toMatchObject({
      exitCode: 0,
    });
    expect(lstatSync(home).isDirectory()).toBe(true);
  });
});

describe.skipIf(hasNone)('scratch folders', () => {
  test('of sessions that were killed are taken away, and no others', async () => {
    const space = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    const folders = [`wield-scratch-${space}-999999999-1-x`, `wield-scratch-1-999999999-1-x`].map((name) => join(tmpdir(), name));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    await run('true');
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
});
