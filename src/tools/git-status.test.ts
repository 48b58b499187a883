import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitProject, type GitProject, runGitTool } from '../../test/git-project.ts';
import { createGitDiffTool } from './git-diff.ts';
import { createGitStatusTool } from './git-status.ts';

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'one\n', 'src/b.txt': 'one\n' });
});
afterEach(() => project.remove());

const statusTool = createGitStatusTool();

/** The answer with the temporary folder as ROOT and each commit id as ID. */
async function status(cwd = project.root): Promise<string> {
  const { text, isError } = await runGitTool(statusTool, {}, { cwd });
  const plain = text.replaceAll(project.root, 'ROOT').replaceAll(/\b[0-9a-f]{40}\b/g, 'ID');
  return isError ? `ERROR ${plain}` : plain;
}

const TOP = 'Branch main, at ID.\nNo upstream branch.\nNames are relative to ROOT, the top of the repository.\n';

/** Runs a git command that ends in a conflict. */
function stopped(args: readonly string[]): void {
  expect(() => project.git(args)).toThrow();
}

function commitOn(branch: string, content: string): void {
  project.git(['checkout', '-q', '-B', branch, 'main']);
  project.write('a.txt', content);
  project.git(['commit', '-q', '-am', content]);
}

describe('GitStatus', () => {
  test('says that a tree is clean', async () => {
    expect(await status()).toBe(`${TOP}\nClean: nothing is staged, changed or untracked.`);
  });

  test('tells staged, unstaged and untracked apart, also for one file', async () => {
    project.write('a.txt', 'two\n');
    project.git(['add', 'a.txt']);
    project.write('a.txt', 'three\n');
    project.write('new.txt', 'x');
    project.git(['add', 'new.txt']);
    rmSync(project.path('src/b.txt'));
    project.write('free.txt', 'x');
    project.write('.gitignore', '*.log\n');
    project.write('x.log', 'x');
    expect(await status()).toBe(
      `${TOP}
Staged, part of the next commit (2):
  modified: a.txt
  added: new.txt

Not staged (2):
  modified: a.txt
  deleted: src/b.txt

Untracked (2):
  .gitignore
  free.txt`,
    );
  });

  test('gives names that git quotes as they are (A64)', async () => {
    const names = ['設計/概要.md', 'café.txt', 'with "quote".txt', 'tab\there.txt', 'a b/c b/d.txt', 'back\\slash', ' lead'];
    for (const name of names) project.write(name, 'one\n');
    project.git(['add', '設計/概要.md', 'tab\there.txt']);
    project.git(['commit', '-q', '-m', 'names']);
    project.write('設計/概要.md', 'two\n');
    project.write('tab\there.txt', 'two\n');
    expect(await status()).toBe(
      `${TOP}
Not staged (2):
  modified: tab\there.txt
  modified: 設計/概要.md

Untracked (5):
   lead
  a b/c b/d.txt
  back\\slash
  café.txt
  with "quote".txt`,
    );
  });

  test('keeps one name a line where a name holds a line end', async () => {
    project.write('two\nlines', 'x');
    expect(await status()).toBe(`${TOP}\nUntracked (1):\n  two\\nlines`);
  });

  test('tells the old from the new name of a rename, leaves arrows alone and lists the files of a new folder (A65)', async () => {
    project.write('old.ts', Array.from({ length: 30 }, (_line, i) => `line ${i}\n`).join(''));
    project.write('x -> y.txt', 'one\n');
    project.write('p → q.txt', 'unlike anything else\n');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'second']);
    project.git(['mv', 'old.ts', 'new.ts']);
    project.write('new.ts', `${Array.from({ length: 30 }, (_line, i) => `line ${i}\n`).join('')}more\n`);
    project.git(['mv', 'p → q.txt', 'r.txt']);
    project.write('x -> y.txt', 'two\n');
    for (const name of ['1', '2', '3']) project.write(`folder/${name}`, 'x');
    expect(await status()).toBe(
      `${TOP}
Staged, part of the next commit (2):
  renamed: old.ts → new.ts
  renamed: from
    p → q.txt
    to
    r.txt

Not staged (2):
  modified: new.ts
  modified: x -> y.txt

Untracked (3):
  folder/1
  folder/2
  folder/3`,
    );
  });

  test('counts by folder where there are too many untracked files', async () => {
    for (let i = 0; i < 250; i++) project.write(`many/${i % 5}/${i}`, '');
    project.write('one.txt', '');
    expect(await status()).toBe(`${TOP}\nUntracked (251):\n  many/ (250 files)\n  one.txt`);
  });

  test('lists no more than 200 names a section and counts the rest', async () => {
    for (let i = 0; i < 230; i++) project.write(`${i}.txt`, '');
    project.git(['add', '-A']);
    for (let i = 0; i < 210; i++) project.write(`free ${i}`, '');
    const lines = (await status()).split('\n');
    expect(lines.filter((line) => line.startsWith('  added: ')).length).toBe(200);
    expect(lines.filter((line) => line.startsWith('  free ')).length).toBe(200);
    expect(lines.filter((line) => line.includes('['))).toEqual(['  [30 more not shown.]', '  [10 more not shown.]']);
  });

  test('says how far a branch is from its upstream', async () => {
    const remote = join(project.base, 'remote.git');
    project.git(['clone', '-q', '--bare', project.root, remote]);
    project.git(['remote', 'add', 'origin', remote]);
    project.git(['fetch', '-q', 'origin']);
    project.git(['branch', '-q', '--set-upstream-to=origin/main']);
    expect(await status()).toContain('Branch main, at ID.\nUpstream origin/main, level with it.\n');
    project.git(['commit', '-q', '--allow-empty', '-m', 'ours']);
    project.git(['commit', '-q', '--allow-empty', '-m', 'ours too']);
    project.git([
      'update-ref',
      'refs/remotes/origin/main',
      project.git(['commit-tree', '-p', 'HEAD~2', '-m', 'theirs', 'HEAD^{tree}']).trim(),
    ]);
    expect(await status()).toContain('Upstream origin/main: 2 ahead, 1 behind.\n');
    project.git(['update-ref', '-d', 'refs/remotes/origin/main']);
    expect(await status()).toContain('Upstream origin/main, which has no commit here.\n');
  });
});

describe('where GitStatus runs', () => {
  test('a plain folder is no repository (A66a)', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wield-plain-')));
    const { text, isError } = await runGitTool(statusTool, {}, { cwd: folder });
    rmSync(folder, { recursive: true });
    expect({ text, isError }).toEqual({
      text: `${folder} is not in a git repository. Go on without git; make one (git init) only where the person wants it.`,
      isError: true,
    });
  });

  test('a detached HEAD is told with its commit (A66b)', async () => {
    const id = project.git(['rev-parse', 'HEAD']).trim();
    project.git(['checkout', '-q', '--detach']);
    const { text } = await runGitTool(statusTool, {}, { cwd: project.root });
    expect(text.split('\n')[0]).toBe(`HEAD is detached at ${id}.`);
  });

  test('in a folder of the repository names are relative to that folder (A66c)', async () => {
    project.write('a.txt', 'two\n');
    project.write('src/b.txt', 'two\n');
    project.write('src/new.txt', 'x');
    project.write('outside.txt', 'x');
    expect(await status(project.path('src'))).toBe(
      `Branch main, at ID.
No upstream branch.
Names are relative to ROOT/src, which is inside the repository ROOT: ../ leads out of the workspace, where untracked files are not listed.

Not staged (2):
  modified: ../a.txt
  modified: b.txt

Untracked (1):
  new.txt`,
    );
  });

  test('without git it says so (A66d)', async () => {
    const environment = { PATH: '/nowhere' };
    expect(await runGitTool(statusTool, {}, { cwd: project.root, environment })).toEqual({
      text: 'git is not installed, or not on PATH. Go on without it; ReadFile and Glob show the files as they are.',
      isError: true,
    });
  });

  test('a lock that was left behind is no hindrance (A66e)', async () => {
    writeFileSync(project.path('.git/index.lock'), '');
    project.write('a.txt', 'two\n');
    expect(await status()).toBe(`${TOP}\nNot staged (1):\n  modified: a.txt`);
  });

  test('it only reads: the index stays as it was, also where times changed', async () => {
    const index = readFileSync(project.path('.git/index'));
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(project.path('a.txt'), yesterday, yesterday);
    expect(await status()).toContain('Clean: ');
    const { text } = await runGitTool(createGitDiffTool(), {}, { cwd: project.root });
    expect(text).toContain('No changes since the last commit');
    expect(readFileSync(project.path('.git/index')).equals(index)).toBe(true);
    project.git(['status']);
    expect(readFileSync(project.path('.git/index')).equals(index)).toBe(false);
  });

  test('before the first commit it says that there is none (A67)', async () => {
    const fresh = createGitProject();
    fresh.write('f.txt', 'one\n');
    fresh.git(['add', 'f.txt']);
    fresh.write('f.txt', 'one\ntwo\n');
    fresh.write('free.txt', 'x');
    const { text, isError } = await runGitTool(statusTool, {}, { cwd: fresh.root });
    fresh.remove();
    expect(isError).toBe(false);
    expect(text).toBe(
      `Branch main, no commits yet.
No upstream branch.
Names are relative to ${fresh.root}, the top of the repository.

Staged, part of the next commit (1):
  added: f.txt

Not staged (1):
  modified: f.txt

Untracked (1):
  free.txt`,
    );
  });

  test('a linked work tree is a repository like any other', async () => {
    const tree = join(project.base, 'tree');
    project.git(['worktree', 'add', '-q', '-b', 'side', tree]);
    writeFileSync(join(tree, 'a.txt'), 'two\n');
    expect(await status(tree)).toContain('Branch side, at ID.');
    expect(await status(tree)).toContain('modified: a.txt');
  });

  test('a folder in .git, and a broken configuration, are told in words', async () => {
    expect(await status(project.path('.git/refs'))).toContain(
      'ERROR ROOT/.git/refs lies in a bare repository or in a .git folder',
    );
    writeFileSync(project.path('.git/config'), '[core\n');
    expect(await status()).toBe('ERROR git cannot open the repository of ROOT: fatal: bad config line 1 in file .git/config');
  });

  // Only root can give a folder away.
  test.skipIf(process.getuid?.() !== 0)('a repository of another user is not opened', async () => {
    project.git(['config', 'core.fsmonitor', project.canary('canary')]);
    for (const path of ['', '.git']) chownSync(project.path(path), 12_345, 12_345);
    expect(await status()).toBe(
      'ERROR git refuses the repository of ROOT, because another user owns it. Tell the person; only they should trust it (git config --global --add safe.directory).',
    );
    expect(project.ran(['canary'])).toEqual([]);
  });
});

describe('what a repository is in the middle of', () => {
  const CONFLICT = '\nConflicts, to be resolved (1):\n  both modified: a.txt';

  beforeEach(() => {
    commitOn('theirs', 'theirs\n');
    commitOn('ours', 'ours\n');
  });

  async function operation(): Promise<string | undefined> {
    const text = await status();
    expect(text).toContain(CONFLICT);
    return text.split('\n').find((line) => line.startsWith('In progress'));
  }

  test('a merge', async () => {
    stopped(['merge', 'theirs']);
    expect(await operation()).toBe('In progress: merge of ID. git merge --continue concludes it, --abort takes it back.');
  });

  test('a rebase', async () => {
    stopped(['rebase', 'theirs']);
    expect(await operation()).toBe(
      'In progress: rebase of ours, onto ID, step 1 of 1. git rebase --continue goes on, --abort takes it back.',
    );
  });

  test('a rebase by patches', async () => {
    stopped(['rebase', '--apply', 'theirs']);
    expect(await operation()).toBe(
      'In progress: rebase of ours, onto ID, step 1 of 1. git rebase --continue goes on, --abort takes it back.',
    );
  });

  test('a cherry-pick', async () => {
    stopped(['cherry-pick', 'theirs']);
    expect(await operation()).toBe('In progress: cherry-pick of ID. git cherry-pick --continue goes on, --abort takes it back.');
  });

  test('a revert', async () => {
    project.write('a.txt', 'later\n');
    project.git(['commit', '-q', '-am', 'later']);
    stopped(['revert', 'HEAD~1']);
    expect(await operation()).toBe('In progress: revert of ID. git revert --continue goes on, --abort takes it back.');
  });

  test('patches by mail', async () => {
    writeFileSync(join(project.base, 'mail'), project.git(['format-patch', '--stdout', '-1', 'theirs']));
    stopped(['am', '--3way', join(project.base, 'mail')]);
    expect(await operation()).toBe('In progress: am step 1 of 1. git am --continue goes on, --abort takes it back.');
  });

  test('a bisection', async () => {
    project.git(['bisect', 'start', 'ours', 'main']);
    expect(await status()).toContain(
      'In progress: bisect started from ours. git bisect good or bad goes on, git bisect reset ends it.',
    );
  });

  test('each kind of conflict is named', async () => {
    project.git(['checkout', '-q', '-B', 'theirs', 'main']);
    project.git(['rm', '-q', 'a.txt']);
    project.write('both.txt', 'theirs\n');
    project.write('src/b.txt', 'theirs\n');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'theirs']);
    project.git(['checkout', '-q', 'ours']);
    project.git(['rm', '-q', 'src/b.txt']);
    project.write('both.txt', 'ours\n');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'ours']);
    stopped(['merge', 'theirs']);
    expect(await status()).toContain(
      'Conflicts, to be resolved (3):\n  deleted by them: a.txt\n  both added: both.txt\n  deleted by us: src/b.txt',
    );
  });
});
