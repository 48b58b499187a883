import { chmodSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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

interface Input {
  readonly staged?: boolean;
  readonly path?: string;
  readonly base?: string;
}

const diffTool = createGitDiffTool();

/** The answer with the temporary folder as ROOT and each full commit id as ID. */
async function diff(input: Input = {}, cwd = project.root): Promise<string> {
  const { text, isError } = await runGitTool(diffTool, input, { cwd });
  const plain = text.replaceAll(project.root, 'ROOT').replaceAll(/\b[0-9a-f]{40}\b/g, 'ID');
  return isError ? `ERROR ${plain}` : plain;
}

const lines = (count: number, text = 'line'): string => Array.from({ length: count }, (_line, i) => `${text} ${i}\n`).join('');

describe('GitDiff', () => {
  test('says that nothing changed', async () => {
    expect(await diff()).toBe('No changes since the last commit (ID).\nNames are relative to ROOT.');
    expect(await diff({ staged: true })).toBe('No staged changes since the last commit (ID).\nNames are relative to ROOT.');
    expect(await diff({ path: project.path('a.txt') })).toBe(
      'No changes in ROOT/a.txt since the last commit (ID).\nNames are relative to ROOT.',
    );
  });

  test('shows staged and unstaged changes together, and with staged only those', async () => {
    project.write('a.txt', 'two\n');
    project.git(['add', 'a.txt']);
    project.write('a.txt', 'two\nthree\n');
    project.write('free.txt', 'x');
    expect(await diff()).toBe(
      `Changes, staged or not, since the last commit (ID): 1 file, +2 -1.
Names are relative to ROOT.
  +2 -1 modified: a.txt
Untracked, not in this diff (1):
  free.txt

--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@
-one
+two
+three`,
    );
    expect(await diff({ staged: true })).toBe(
      `Staged changes since the last commit (ID): 1 file, +1 -1.
Names are relative to ROOT.
  +1 -1 modified: a.txt

--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-one
+two`,
    );
  });

  test('gives names that git quotes as they are (A64)', async () => {
    const names = ['a b/c b/d.txt', 'tab\there.txt', 'with "quote".txt', '設計/概要.md'];
    for (const name of names) project.write(name, 'one\n');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'names']);
    for (const name of names) project.write(name, 'two\n');
    const text = await diff();
    for (const name of names) {
      expect(text).toContain(`\n  +1 -1 modified: ${name}\n`);
      expect(text).toContain(`\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-one\n+two`);
      expect(await diff({ path: project.path(name) })).toContain(
        `1 file, +1 -1.\nNames are relative to ROOT.\n  +1 -1 modified: ${name}\n`,
      );
    }
  });

  test('takes the letters of a path as they are, not as a pattern', async () => {
    for (const name of ['[id].ts', 'i.ts', ':(top)x.ts']) project.write(name, 'one\n');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'names']);
    for (const name of ['[id].ts', 'i.ts', ':(top)x.ts']) project.write(name, 'two\n');
    expect(await diff({ path: project.path('[id].ts') })).toContain(': 1 file, +1 -1.');
    expect(await diff({ path: project.path(':(top)x.ts') })).toContain('  +1 -1 modified: :(top)x.ts\n');
  });

  test('sees a change that was made in the second of the last git add', async () => {
    const second = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
    utimesSync(project.path('a.txt'), second, second);
    project.git(['config', 'core.trustctime', 'false']);
    project.git(['update-index', '--refresh']);
    utimesSync(project.path('.git/index'), second, second);
    project.write('a.txt', 'two\n');
    utimesSync(project.path('a.txt'), second, second);
    expect(await diff()).toContain('  +1 -1 modified: a.txt');
  });

  test('tells renames, modes, links, binaries, deletions and new files in words', async () => {
    project.write('old.ts', lines(30));
    project.write('link', 'one\n');
    project.write('run.sh', '#!/bin/sh\n');
    project.write('gone.txt', 'x');
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'second']);
    project.git(['mv', 'old.ts', 'new.ts']);
    chmodSync(project.path('run.sh'), 0o755);
    rmSync(project.path('link'));
    symlinkSync('a.txt', project.path('link'));
    rmSync(project.path('gone.txt'));
    project.write('image.png', Uint8Array.of(0, 1, 2, 3));
    project.write('added.txt', 'x\r\n');
    project.git(['add', 'image.png', 'added.txt']);
    expect(await diff()).toBe(
      `Changes, staged or not, since the last commit (ID): 6 files, +2 -2.
Names are relative to ROOT.
  +1 -0 added: added.txt
  +0 -1 deleted: gone.txt
  binary added: image.png
  +1 -1 type changed: link
  +0 -0 renamed: old.ts → new.ts
  +0 -0 modified, now executable: run.sh

--- /dev/null
+++ b/added.txt
@@ -0,0 +1 @@
+x\r

--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file

--- a/link
+++ b/link
@@ -1 +0,0 @@
-one
@@ -0,0 +1 @@
+a.txt
\\ No newline at end of file`,
    );
  });

  test('shows the lines of a file whose lines look like those of a diff', async () => {
    project.write('a.txt', 'diff --git a/x b/x\n-- a\n++ b\n@@ -1 +1 @@\n* Unmerged path x\n');
    expect(await diff()).toContain(
      `@@ -1 +1,5 @@
-one
+diff --git a/x b/x
+-- a
+++ b
+@@ -1 +1 @@
+* Unmerged path x`,
    );
  });

  test('shows the marks of a conflict', async () => {
    project.git(['checkout', '-q', '-b', 'theirs']);
    project.write('a.txt', 'theirs\n');
    project.git(['commit', '-q', '-am', 'theirs']);
    project.git(['checkout', '-q', 'main']);
    project.write('a.txt', 'ours\n');
    project.git(['commit', '-q', '-am', 'ours']);
    expect(() => project.git(['merge', 'theirs'])).toThrow();
    expect(await diff()).toContain(
      '  +4 -0 modified: a.txt\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,5 @@\n+<<<<<<< HEAD\n ours\n+=======',
    );
    expect(await diff({ staged: true })).toContain(': 1 file, +0 -0.\nNames are relative to ROOT.\n  in conflict: a.txt');
  });

  test('before the first commit everything is new (A67)', async () => {
    const fresh = createGitProject();
    fresh.write('f.txt', 'one\n');
    fresh.git(['add', 'f.txt']);
    fresh.write('f.txt', 'one\ntwo\n');
    fresh.write('free.txt', 'x');
    const { text, isError } = await runGitTool(diffTool, {}, { cwd: fresh.root });
    fresh.remove();
    expect(isError).toBe(false);
    expect(text).toBe(
      `Changes, staged or not, since the beginning (no commits yet): 1 file, +2 -0.
Names are relative to ${fresh.root}.
  +2 -0 added: f.txt
Untracked, not in this diff (1):
  free.txt

--- /dev/null
+++ b/f.txt
@@ -0,0 +1,2 @@
+one
+two`,
    );
  });

  test('looks the same whatever a person configured, and runs none of it (A68)', async () => {
    project.write('lines.txt', lines(30));
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'second']);
    project.git(['mv', 'src/b.txt', 'src/c.txt']);
    project.write('a.txt', 'one\n\n\ntwo\n');
    project.write('lines.txt', lines(30).replace('line 3\n', 'three\n').replace('line 14\n', 'fourteen\n'));
    writeFileSync(join(project.base, 'order'), 'src/*\n*\n');
    const before = [await diff(), (await runGitTool(createGitStatusTool(), {}, { cwd: project.root })).text];
    const settings = {
      'color.ui': 'always',
      'color.diff': 'always',
      'color.status': 'always',
      'core.pager': project.canary('pager'),
      'diff.external': '/bin/false',
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'diff.algorithm': 'patience',
      'diff.context': '0',
      'diff.interHunkContext': '9',
      'diff.renames': 'false',
      'diff.relative': 'true',
      'diff.orderFile': join(project.base, 'order'),
      'diff.suppressBlankEmpty': 'true',
      'diff.submodule': 'log',
      'diff.wsErrorHighlight': 'all',
      'core.quotePath': 'true',
      'core.abbrev': '4',
      'core.fsmonitor': project.canary('fsmonitor'),
      'status.short': 'true',
      'status.branch': 'false',
      'status.renames': 'false',
      'status.relativePaths': 'false',
      'status.showStash': 'true',
      'status.showUntrackedFiles': 'no',
      'column.ui': 'always',
    };
    for (const [key, value] of Object.entries(settings)) project.git(['config', key, value]);
    const after = [await diff(), (await runGitTool(createGitStatusTool(), {}, { cwd: project.root })).text];
    expect(after).toEqual(before);
    expect(after[0]).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,4 @@\n one\n+\n+\n+two');
    expect(project.ran(['pager', 'fsmonitor'])).toEqual([]);
  });
});

describe('what GitDiff has no room for', () => {
  test('a small edit is seen behind a flood, binaries and submodules take a line (A69)', async () => {
    const inner = createGitProject({ 'in.txt': 'one\n', 'other.txt': 'one\n' });
    project.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'lib']);
    inner.remove();
    // With this a git would start in the submodule.
    project.git(['config', 'diff.submodule', 'diff']);
    project.write('big.bin', new Uint8Array(3_000_000));
    project.write('generated.js', lines(60_000, 'old'));
    project.write('z.ts', lines(10));
    project.git(['add', '-A']);
    project.git(['commit', '-q', '-m', 'second']);
    project.write('lib/in.txt', 'two\n');
    project.git(['commit', '-q', '-am', 'inner'], project.path('lib'));
    project.write('lib/other.txt', 'dirty\n');
    project.write('lib/free.txt', 'x');
    project.write('big.bin', new Uint8Array(3_000_000).fill(1).fill(0, 5, 9));
    project.write('generated.js', lines(60_000, 'new'));
    project.write('z.ts', lines(10).replace('line 5', 'line five'));
    project.write('free.txt', 'x');
    const text = await diff();
    expect(text.replaceAll(/[0-9a-f]{12}/g, 'SHORT').slice(0, text.indexOf('\n\n'))).toContain(
      `4 files, +60002 -60002.
Names are relative to ROOT.
  binary modified: big.bin
  +60000 -60000 modified: generated.js
  submodule, modified, commit SHORT → SHORT, 1 changed and 1 untracked files in it: lib
  +1 -1 modified: z.ts
Untracked, not in this diff (1):
  free.txt`,
    );
    expect(text).toContain(
      '\n--- a/z.ts\n+++ b/z.ts\n@@ -3,7 +3,7 @@ line 1\n line 2\n line 3\n line 4\n-line 5\n+line five\n line 6\n',
    );
    expect(text).toMatch(/\n\[… \d{6} more lines of this diff left out; GitDiff with path shows more\.\]\n/);
    expect(text.length).toBeLessThan(12_000);
    expect((await diff({ path: project.path('generated.js') })).length).toBeGreaterThan(39_000);
    expect(text).not.toContain('\0');
    expect((await runGitTool(createGitStatusTool(), {}, { cwd: project.root })).text).toContain(
      '  submodule, new commit, 1 changed and 1 untracked files in it: lib\n',
    );
    expect(await diff({ path: project.path('lib/other.txt') })).toContain(
      '--- a/lib/other.txt\n+++ b/lib/other.txt\n@@ -1 +1 @@\n-one\n+dirty',
    );
  });

  test('a long line is cut at a code point', async () => {
    project.write('a.txt', `${'🙂'.repeat(300_000)}\nshort\n`);
    const text = await diff();
    expect(text).toContain(`\n+${'🙂'.repeat(249)}… [line of 1200000 bytes]\n+short`);
    expect(text.isWellFormed()).toBe(true);
  });

  test('with more changed files than fit, each is named and the smallest are shown', async () => {
    for (let i = 100; i < 160; i++) project.write(`big/${i}.txt`, lines(300));
    project.write('zz.txt', 'small\n');
    project.git(['add', '-A']);
    const text = await diff();
    expect(text).toContain('61 files, +18001 -0.');
    for (let i = 100; i < 160; i++) expect(text).toContain(`  +300 -0 added: big/${i}.txt\n`);
    expect(text).toContain('+++ b/zz.txt\n@@ -0,0 +1 @@\n+small');
    expect(text).toMatch(/\[No room for the lines of big\/\d+\.txt, .* and \d more: give a path to see them\.\]/);
    expect(text.length).toBeLessThan(46_000);
  });

  test('with thousands of changed files the list is cut and counted, and the reading ends', async () => {
    for (let i = 1000; i < 3500; i++) project.write(`many/${i}`, 'x\n');
    project.git(['add', '-A']);
    const text = await diff();
    expect(text).toContain('2500 files, +2500 -0.');
    expect(text).toContain('  [2200 more files not listed: give a path.]');
    expect(text.length).toBeLessThan(60_000);
  });
});

describe('what GitDiff compares', () => {
  test('a base is any name of a commit', async () => {
    project.git(['tag', 'v1']);
    project.write('a.txt', 'two\n');
    project.git(['commit', '-q', '-am', 'second']);
    project.write('src/b.txt', 'two\n');
    project.git(['add', '-A']);
    for (const base of ['v1', 'HEAD~1', 'main^', 'HEAD@{1}'])
      expect(await diff({ base })).toContain(`Changes, staged or not, since ${base} (ID): 2 files, +2 -2.`);
    expect(await diff({ base: 'v1', staged: true, path: project.path('src') })).toContain(
      'Staged changes in ROOT/src since v1 (ID): 1 file, +1 -1.',
    );
  });

  test('a base that is none is told with what there is', async () => {
    project.git(['branch', 'side']);
    expect(await diff({ base: 'mian' })).toBe(
      'ERROR There is no commit "mian" in this repository. Newest branches and tags: main, side. Give one of them, a commit id, or HEAD~1; leave base out for the last commit.',
    );
    expect(await diff({ base: 'HEAD:a.txt' })).toContain('ERROR There is no commit "HEAD:a.txt"');
  });

  test.each([
    ['--output=/tmp/x', '"base" must name a commit, and no name starts with "-": "--output=/tmp/x".'],
    [
      'main..HEAD',
      '"base" is one commit, not a range: "main..HEAD". Give its first part; for a range use Bash (git diff main..HEAD).',
    ],
    ['', '"base" is empty. Give a commit, branch or tag, or leave it out for the last commit.'],
    ['HEAD\n--output=x', '"base" holds a line end or NUL, which no name of a commit can.'],
  ])('the base %j is refused before anything runs', (base, problem) => {
    expect(diffTool.validateInput({ base }, { cwd: project.root })).toBe(problem);
  });

  test('a relative path is refused with the one that was meant', () => {
    expect(diffTool.validateInput({ path: 'src' }, { cwd: '/ws' })).toBe(
      '"path" must be an absolute path. You probably meant "/ws/src".',
    );
  });

  test('a path is a file, a folder, one that was deleted, or none that git knows', async () => {
    project.write('a.txt', 'two\n');
    rmSync(project.path('src'), { recursive: true });
    project.write('free/x.txt', 'x');
    project.write('.gitignore', 'ignored\n');
    project.write('ignored', 'x');
    expect(await diff({ path: project.path('a.txt') })).toContain(': 1 file, +1 -1.');
    expect(await diff({ path: project.path('src') })).toContain(
      ': 1 file, +0 -1.\nNames are relative to ROOT.\n  +0 -1 deleted: src/b.txt',
    );
    expect(await diff({ path: project.path('src/b.txt') })).toContain('  +0 -1 deleted: src/b.txt');
    expect(await diff({ path: project.path('free/x.txt') })).toBe(
      'No changes in ROOT/free/x.txt since the last commit (ID).\nNames are relative to ROOT.\nUntracked, not in this diff (1):\n  free/x.txt',
    );
    for (const name of ['ignored', 'nowhere/x'])
      expect(await diff({ path: project.path(name) })).toBe(
        `ERROR git knows no file at ROOT/${name}: it is ignored, empty, or does not exist. Find the name with Glob, or see GitStatus.`,
      );
  });

  test('in a folder of the repository it stays in that folder and names the rest (A66c)', async () => {
    project.write('a.txt', 'two\n');
    project.write('src/b.txt', 'two\n');
    project.write('src/free.txt', 'x');
    project.write('outside.txt', 'x');
    expect(await diff({}, project.path('src'))).toBe(
      `Changes, staged or not, in ROOT/src since the last commit (ID): 1 file, +1 -1.
Names are relative to ROOT/src; the repository is ROOT.
  +1 -1 modified: b.txt
Not shown, changed in the repository but outside of this folder: ../a.txt.
Untracked, not in this diff (1):
  free.txt

--- a/b.txt
+++ b/b.txt
@@ -1 +1 @@
-one
+two`,
    );
  });

  test('no repository, no git, a lock and a detached HEAD are as with GitStatus (A66)', async () => {
    project.write('a.txt', 'two\n');
    project.git(['checkout', '-q', '--detach']);
    writeFileSync(project.path('.git/index.lock'), '');
    expect(await diff()).toContain('Changes, staged or not, since the last commit (ID): 1 file, +1 -1.');
    expect(await diff({}, project.base)).toContain(`is not in a git repository.`);
    const { text, isError } = await runGitTool(diffTool, {}, { cwd: project.root, environment: {} });
    expect({ text, isError }).toEqual({
      text: 'git is not installed, or not on PATH. Go on without it; ReadFile and Glob show the files as they are.',
      isError: true,
    });
  });

  test('an object that is missing is told in the words of git', async () => {
    const blob = project.git(['rev-parse', 'HEAD:a.txt']).trim();
    rmSync(join(project.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    project.write('a.txt', 'two\n');
    expect(await diff()).toBe('ERROR git diff failed: fatal: unable to read ID');
  });
});
