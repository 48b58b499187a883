import { expect, test } from 'vitest';
import { parseCommandResult, parseTestCounts } from './command-result.ts';
import { parseFileList } from './file-list.ts';
import { parseFileView } from './file-view.ts';
import { parseMatchList } from './match-list.ts';
import { firstLineOf, meantPathIn, nearPathsIn, refusalKindOf } from './refusal.ts';

test('a file view tells its lines apart from the note behind them', () => {
  expect(parseFileView('3\ta\n4\t\n5\tb\tc\n[12 more lines remain; go on with offset 6.]')).toEqual({
    lines: ['a', '', 'b\tc'],
    firstLine: 3,
    total: 17,
    isWhole: false,
  });
  expect(parseFileView('/a.txt is empty (0 bytes).')).toEqual({ lines: [], firstLine: 1, total: 0, isWhole: true });
});

test.each([
  ['2 files under /r, newest first:\na.ts\nmy notes.md\n\nNot looked at: .git and the like.', ['a.ts', 'my notes.md'], 2],
  ['12 files in /abs/root (newest first):\nsrc/a.ts\n\n11 more not shown: narrow the pattern or the path.', ['src/a.ts'], 12],
  ['No file matches *.rs under /r.\n\nNot looked at: .git and the like.', [], 0],
  ['a.ts\nb.ts', ['a.ts', 'b.ts'], 2],
])('the file list %j has %j', (text, files, total) => {
  expect(parseFileList(text)).toMatchObject({ files, total });
});

test('a match list has its matches, their number and the root', () => {
  const text =
    '250 matches in 2 files under /r/my dir:\nsrc/a.ts:3: x: 1\nsrc/b.ts:10:   y\n\n248 more matches not shown: narrow the pattern.';
  expect(parseMatchList(text)).toEqual({
    matches: [
      { path: 'src/a.ts', line: 3, text: 'x: 1' },
      { path: 'src/b.ts', line: 10, text: '  y' },
    ],
    total: 250,
    isPartial: true,
    root: '/r/my dir',
  });
  expect(parseMatchList('No match for x in 9 files under /r.')).toMatchObject({ matches: [], total: 0 });
});

test('a command result has its lines and exit code', () => {
  expect(parseCommandResult('<output>\na\n\nb\n</output>\n<exit_code>3</exit_code>')).toEqual({
    output: ['a', '', 'b'],
    exitCode: 3,
  });
  expect(parseCommandResult('<output>\n\n</output>\n<exit_code>0</exit_code>')).toEqual({ output: [], exitCode: 0 });
});

test.each([
  [['# tests 3', '# pass 2', '# fail 1'], 2, 1],
  [[' Test Files  1 failed | 3 passed (4)', '      Tests  2 failed | 30 passed (32)'], 30, 2],
  [['Tests:       1 failed, 5 passed, 6 total'], 5, 1],
  [['==== 4 passed, 1 failed in 0.3s ===='], 4, 1],
  [['test result: ok. 7 passed; 0 failed; 0 ignored'], 7, 0],
])('the summary %j counts', (output, passed, failed) => {
  expect(parseTestCounts(output)).toEqual({ passed, failed });
});

test.each([
  ['There is no file /r/x.ts. Near names: /r/y.ts.', 'not_found'],
  ['ReadFile was not run: "path" must be an absolute path. You probably meant "/r/a.ts".', 'relative_path'],
  ['/r/src is a directory, not a file. List it with Glob.', 'directory'],
  ['old_string occurs 3 times in /r/a (lines 1, 2, 9); nothing was changed.', 'not_unique'],
  ['EditFile was not run: it needs a permission (it changes /r/a), and in headless mode nobody can be asked.', 'denied'],
  ['The person did not allow Bash; nothing was done.', 'denied'],
  ['Bash was not run: the rule Bash(rm *) (project) says so', 'denied'],
  ['EditFile was not run: plan mode only reads; describe the change instead', 'denied'],
  ['The tool "Bash" is disabled here by allowBash.', 'disabled'],
  ['Permission denied: /r/a. This user may not access it.', 'other'],
  ['/r/a is a binary file.', 'other'],
])('%s is %s', (text, kind) => {
  expect(refusalKindOf(text)).toBe(kind);
});

test('a refusal names the path that was meant, near names, and its reason behind the output', () => {
  expect(meantPathIn('"path" must be an absolute path. You probably meant "/r/my file.ts".')).toBe('/r/my file.ts');
  expect(nearPathsIn('There is no file /r/Confg.json. Near names: /r/config.json, /r/other.txt.', '/r/Confg.json')).toEqual([]);
  expect(nearPathsIn('There is no file /r/Config.json. Near names: /r/config.json.', '/r/Config.json')).toEqual([
    '/r/config.json',
  ]);
  expect(firstLineOf('<output>\nx\n</output>\nStopped at the deadline.')).toBe('Stopped at the deadline.');
});
