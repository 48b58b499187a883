import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalSearch } from './local-search.ts';
import { type GlobFilter, parseGlobFilter } from './plain-glob.ts';
import { walkFiles } from './plain-walk.ts';

const NAMES = [
  'a.js',
  '.github/w.yml',
  'node_modules/m.js',
  'x/vendor/v.js',
  '.git/c',
  '__pycache__/p.py',
  'vendored/y.js',
  'dist/out.js',
  'x.log',
  'keep.log',
  'src/gen/b.js',
  'src/b.js',
  'src/deep/x.log',
  'top/only',
  'src/top/only',
  'secret/s.txt',
  'excluded.txt',
  'src/excluded.txt',
  'src/sub/back.log',
  'build',
  'src/build/o.js',
  'odd name.txt',
  'a-b/z.ts',
  'a/z.ts',
  'we\nird.txt',
  ' lead.txt',
  '#hash.txt',
  '!bang.txt',
  '[id].ts',
  'foo.ts/bar.js',
];
const IGNORE_FILES = {
  '.gitignore': '\ufeff# comment\ndist/\n*.log\n!keep.log\ngen/\n/top\nbuild/\nodd\\ name.txt\n',
  'src/sub/.gitignore': '!back.log\n',
  '.ignore': 'secret\n',
  'src/.rgignore': 'b.js\n',
  '.git/info/exclude': 'excluded.txt\n',
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-walk-')));
  for (const name of NAMES) write(name, 'needle\n');
  for (const [name, rules] of Object.entries(IGNORE_FILES)) write(name, rules);
  symlinkSync('missing', join(root, 'gone'));
  symlinkSync('..', join(root, 'src/up'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: string): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const withRipgrep = createLocalSearch();
const { signal } = new AbortController();

function walked(below = '', includeIgnored = false, filter: GlobFilter | null = null): string[] {
  const unreadable = (path: string): void => expect.fail(`${path} is not readable`);
  return [...walkFiles({ root: join(root, below), start: '', includeIgnored, filter, onUnreadable: unreadable })];
}

/** What ripgrep lists, sorted as a walk is. */
async function listed(below = '', includeIgnored = false): Promise<string[]> {
  const request = { root: join(root, below), accepts: () => true, includeIgnored, maxResults: 1000, signal };
  return (await withRipgrep.find(request)).files.toSorted();
}

test('ignore files of each kind hold, dotfiles are seen, and nothing is visited through a link', async () => {
  expect(walked()).toEqual([
    ' lead.txt',
    '!bang.txt',
    '#hash.txt',
    '.github/w.yml',
    '.gitignore',
    '.ignore',
    '[id].ts',
    'a-b/z.ts',
    'a.js',
    'a/z.ts',
    'build',
    'foo.ts/bar.js',
    'keep.log',
    'src/.rgignore',
    'src/sub/.gitignore',
    'src/sub/back.log',
    'src/top/only',
    'vendored/y.js',
    'we\nird.txt',
  ]);
  expect(walked()).toEqual(await listed());
});

test('all is visited where ignored files are asked for', async () => {
  expect(walked('', true)).toEqual([...NAMES, ...Object.keys(IGNORE_FILES)].toSorted());
  expect(walked('', true)).toEqual(await listed('', true));
});

test.each([
  ['dist', ['out.js']],
  ['node_modules', ['m.js']],
  ['secret', ['s.txt']],
  ['src', ['.rgignore', 'sub/.gitignore', 'sub/back.log', 'top/only']],
  ['src/deep', []],
  ['src/up/src/sub', ['.gitignore', 'back.log']],
])('ignore files above the root hold too, but none that ignores the root itself: %s', async (below, expected) => {
  expect(walked(below)).toEqual(expected);
  expect(await listed(below)).toEqual(expected);
});

test('ignore files above a repository hold as well', async () => {
  for (const name of ['inner/.git/HEAD', 'inner/x.log', 'inner/secret/s.txt', 'inner/top', 'inner/a.txt']) write(name, '');
  expect(walked('inner')).toEqual(['a.txt', 'top']);
  expect(walked('inner')).toEqual(await listed('inner'));
});

test.each([
  '*.js',
  '*.{js,yml}',
  '*.{js,y{a,}ml}',
  '**/*.js',
  '*',
  '**',
  '?.js',
  'only',
  '*.ts',
  '*.LOG',
  '*.{log,{t,}xt}',
  'src/**',
  '/src/**',
  'src/*/*.log',
  '.github/*.yml',
  'top/only',
  '**/top/**',
  'node_modules/**',
  'dist/**',
  './a.js',
  '!*.js',
  '!src',
  '!src/',
  '!*.{js,log}',
  '!**/top/*',
  '!*.ts',
  '[a-b]*',
  '[!a-b]*',
  '[[]id].ts',
  '\\[id\\].ts',
  'odd name.txt',
  '--files',
  '\\#*',
  '\\!bang.txt',
  'no such thing',
])('the glob %j chooses what it chooses with ripgrep', async (glob) => {
  const filter = parseGlobFilter(glob);
  if ('fault' in filter) throw new Error(filter.fault);
  const rest = { contextLines: 0, ignoreCase: false, multiline: false, maxResults: 1000, timeoutMs: 20_000, signal };
  for (const includeIgnored of [false, true]) {
    const { files } = await withRipgrep.grep({ path: root, pattern: '', glob, includeIgnored, ...rest });
    expect(walked('', includeIgnored, filter)).toEqual(files.map(({ path }) => path));
  }
});

test.each([
  ['{a', 'unclosed alternate group'],
  ['a}', 'unopened alternate group'],
  ['[a', 'unclosed character class'],
  ['{a,b}'.repeat(11), 'more than 1000 alternatives'],
])('the glob %j is not valid', (glob, reason) => {
  const filter = parseGlobFilter(glob);
  expect(filter).toEqual({ fault: expect.stringContaining(`error parsing glob '${glob}': ${reason}`) });
});
