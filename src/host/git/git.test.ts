import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../../test/git-project.ts';
import type { GitRepository } from '../../core/ports.ts';
import { createLocalGit, findGit } from './git.ts';
import { operationsIn } from './git-operations.ts';

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'one\n', 'src/b.txt': 'one\n' });
});
afterEach(() => project.remove());

const never = new AbortController().signal;
const environment = { PATH: process.env['PATH'] };

async function open(path: string): Promise<GitRepository> {
  const opened = await createLocalGit({ environment, workspace: project.root }).open(path, never);
  if ('refusal' in opened) throw new Error(opened.detail);
  return opened;
}

describe('finding git', () => {
  function program(folder: string): string {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'git'), '#!/bin/sh\n');
    chmodSync(join(folder, 'git'), 0o755);
    return folder;
  }

  test('takes the first on PATH, but none that is relative, in the workspace, or no program', () => {
    const workspace = project.root;
    const inside = program(project.path('node_modules/.bin'));
    const outside = program(join(project.base, 'bin'));
    const linked = join(project.base, 'linked');
    mkdirSync(linked);
    symlinkSync(join(inside, 'git'), join(linked, 'git'));
    const folder = join(project.base, 'folder');
    mkdirSync(join(folder, 'git'), { recursive: true });
    const plain = join(project.base, 'plain');
    mkdirSync(plain);
    writeFileSync(join(plain, 'git'), '');
    const relativePath = relative(process.cwd(), program(join(project.base, 'relative')));
    const PATH = [relativePath, '', inside, linked, folder, plain, outside].join(':');
    expect(findGit({ environment: { PATH }, workspace })).toBe(join(outside, 'git'));
    expect(findGit({ environment: { PATH: inside }, workspace })).toBe(null);
    expect(findGit({ environment: {}, workspace })).toBe(null);
  });
});

describe('opening a repository', () => {
  test('a path is opened in its nearest folder, links resolved', async () => {
    symlinkSync('src', project.path('link'));
    const found = await Promise.all(['', 'src', 'src/b.txt', 'gone/x/y', 'link/b.txt'].map((name) => open(project.path(name))));
    expect(found.map(({ root, path }) => ({ root, path }))).toEqual(
      ['', 'src', 'src/b.txt', 'gone/x/y', 'src/b.txt'].map((name) => ({ root: project.root, path: project.path(name) })),
    );
  });

  test('runs in the nearest folder, without a shell', async () => {
    const { run } = await open(project.path('src/gone/x'));
    const ask = async (...args: string[]): Promise<string> => {
      let text = '';
      await run({ args, timeoutMs: 10_000, signal: never, onOutput: (bytes) => (text += String(bytes)) !== '' });
      return text;
    };
    expect(await ask('rev-parse', '--show-prefix')).toBe('src/\n');
    expect(await ask('rev-parse', '--sq-quote', '$(id); `id` >x')).toBe(" '$(id); `id` >x'\n");
  });

  test('names the filters that it switches off', async () => {
    project.git(['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
    project.git(['config', 'filter.lfs.required', 'true']);
    project.git(['config', 'filter.A.b.smudge', 'x']);
    expect((await open(project.root)).filters).toEqual(['lfs', 'A.b']);
  });
});

describe('a run that does not end', () => {
  // git reads the files that say what to ignore, and waits for a pipe that nobody writes to.
  const LISTING = { args: ['ls-files', '--others', '--exclude-standard'], onOutput: () => true };

  beforeEach(() => {
    rmSync(project.path('.git/info/exclude'), { force: true });
    execFileSync('mkfifo', [project.path('.git/info/exclude')]);
  });

  test('is ended at its deadline', async () => {
    const { run } = await open(project.root);
    expect(await run({ ...LISTING, timeoutMs: 100, signal: never })).toEqual({ exitCode: null, stderr: '', timedOut: true });
  });

  test('is ended by an abort', async () => {
    const { run } = await open(project.root);
    const abort = new AbortController();
    const running = run({ ...LISTING, timeoutMs: 600_000, signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  test('is not begun after an abort', async () => {
    const { run } = await open(project.root);
    await expect(run({ ...LISTING, timeoutMs: 600_000, signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
  });
});

test('a reader that has enough ends the run', async () => {
  project.write('a.txt', 'line\n'.repeat(2_000_000));
  const { run } = await open(project.root);
  let size = 0;
  const onOutput = (bytes: Uint8Array): boolean => {
    size += bytes.length;
    return false;
  };
  const end = await run({ args: ['diff', '--no-ext-diff', 'HEAD'], timeoutMs: 60_000, signal: never, onOutput });
  expect(end).toEqual({ exitCode: null, stderr: '', timedOut: false });
  expect(size).toBeLessThan(1_000_000);
});

test('state files that never end a read are passed over', async () => {
  mkdirSync(project.path('.git/rebase-merge'));
  symlinkSync('/dev/zero', project.path('.git/rebase-merge/head-name'));
  execFileSync('mkfifo', [project.path('.git/MERGE_HEAD')]);
  expect(await operationsIn(project.path('.git'))).toEqual([
    { kind: 'rebase', detail: null },
    { kind: 'merge', detail: null },
  ]);
});
