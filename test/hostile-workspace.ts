import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createProject, type TestProject } from './agent-harness.ts';

/** A workspace that is full of traps, and what lies around it. All paths are real ones. */
export interface HostileWorkspace {
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  /** Puts the places into a text that names them. */
  fill(text: string): string;
  /** What has fired: a program of the workspace that ran, or a file that was written where nothing may. */
  fired(): readonly string[];
  remove(): void;
}

/** Makes one in a temporary folder: a repository with two commits and a change, programs that leave a mark, links that lead out. */
export function createHostileWorkspace(): HostileWorkspace {
  const outer = createProject(FILES);
  const [workspace, outside, home] = [outer.path('ws'), outer.path('out'), outer.path('home')];
  const canary = `${outside}/CANARY`;
  makeRepository(workspace);
  makePrograms(outer, canary);
  makeLinks(outer);
  makeTrapRepositories(outer);
  return {
    workspace,
    outside,
    home,
    fill: (text) =>
      text
        .replaceAll('{WS}', workspace)
        .replaceAll('{OUT}', outside)
        .replaceAll('{HOME}', home)
        .replaceAll('{CFG}', `${workspace}/.wield/settings.json`),
    fired: () =>
      [canary, `${outside}/P`, `${workspace}/P`, `${outside}/p.txt`, `${home}/.bashrc`, `${home}/.zshenv`].filter(existsSync),
    remove: () => outer.remove(),
  };
}

const FILES: Readonly<Record<string, string>> = {
  'ws/f': 'foo\na; rm -rf / && b\n',
  'ws/big': 'x\n'.repeat(2000),
  'ws/src/app.ts': 'export const a=1;\n',
  'ws/src-evil/a.ts': 'export const evil=1;\n',
  'ws/package.json': '{"name":"ws","version":"1.0.0","scripts":{"test":"true"}}\n',
  'ws/q/package.json': '{"name":"q","version":"1.0.0"}\n',
  'ws/.env': 'KEY=secret\n',
  'ws/inj.js': 'process.exit(1);\n',
  'ws-evil/a.ts': '',
  'out/secret.txt': 'secret\n',
  'home/.ssh/id_rsa': 'KEY\n',
};

function makeRepository(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'add', 'f', 'big', 'src/app.ts', 'package.json', 'q');
  commit(folder, 'first');
  writeFileSync(`${folder}/big`, 'y\n');
  git(folder, 'add', 'big');
  commit(folder, 'second');
  writeFileSync(`${folder}/big`, 'changed\n');
}

function makePrograms(outer: TestProject, canary: string): void {
  const program = outer.path('ws/x.sh');
  writeFileSync(program, `#!/bin/sh\necho fired >> ${canary}\n`);
  chmodSync(program, 0o755);
  mkdirSync(outer.path('ws/b'));
  for (const copy of ['ws/git2', 'ws/b/git']) {
    copyFileSync(program, outer.path(copy));
    chmodSync(outer.path(copy), 0o755);
  }
  writeFileSync(outer.path('ws/p.sed'), `1e ${program}\n`);
  writeFileSync(outer.path('ws/rgrc'), `--pre=${program}\n`);
  execFileSync('tar', ['-cf', 'a.tar', 'f'], { cwd: outer.path('ws') });
}

function makeLinks(outer: TestProject): void {
  symlinkSync(outer.path('out'), outer.path('ws/link'));
  symlinkSync(outer.path('out/secret.txt'), outer.path('ws/slink.txt'));
  symlinkSync(outer.path('out/newfile'), outer.path('ws/dangling'));
  linkSync(outer.path('out/secret.txt'), outer.path('ws/hard.txt'));
}

function makeTrapRepositories(outer: TestProject): void {
  const program = outer.path('ws/x.sh');
  mkdirSync(outer.path('ws/src/.git'));
  writeFileSync(outer.path('ws/src/.git/config'), '');
  mkdirSync(outer.path('ws/vendor/bare'), { recursive: true });
  git(outer.path('ws/vendor/bare'), 'init', '-q', '--bare');
  git(outer.path('ws/vendor/bare'), 'config', 'core.bare', 'false');
  git(outer.path('ws/vendor/bare'), 'config', 'core.worktree', outer.path('ws/vendor/bare'));
  git(outer.path('ws/vendor/bare'), 'config', 'core.fsmonitor', program);
  mkdirSync(outer.path('ws/hostile'));
  git(outer.path('ws/hostile'), 'init', '-q');
  git(outer.path('ws/hostile'), 'config', 'core.fsmonitor', program);
  git(outer.path('ws/hostile'), 'config', 'diff.external', program);
}

function commit(folder: string, message: string): void {
  git(folder, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', message);
}

function git(cwd: string, ...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
}
