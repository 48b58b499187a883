import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ContentStore } from './content-store.ts';
import { FolderWatch } from './folder-watch.ts';
import { openProjectTree, type ProjectTree } from './project-tree.ts';

let base: string;
let root: string;
let store: ContentStore;
let tree: ProjectTree | null = null;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-tree-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'folder/inner'), { recursive: true });
  for (const name of ['a', 'folder/b', 'folder/inner/c']) put(name, name);
  store = new ContentStore(join(base, 'contents'));
});
afterEach(() => {
  tree?.close();
  tree = null;
  store.close();
  rmSync(base, { recursive: true });
});

const at = (path: string): string => join(root, path);

function put(path: string, text: string): void {
  writeFileSync(at(path), text);
}

async function open(watch?: FolderWatch): Promise<ProjectTree> {
  const signal = new AbortController().signal;
  const options = {
    roots: [root],
    excluded: new Set([at('own')]),
    folder: base,
    store,
    signal,
    maxAskedFiles: 0,
    onProgress: () => undefined,
  };
  tree = await openProjectTree(options, watch);
  return tree;
}

/** `+` made, `-` gone, `~` changed. */
async function look(): Promise<{ readonly changes: readonly string[]; readonly unheard: string | null }> {
  const { changes, unheard } = (await tree?.look()) ?? { changes: [], unheard: null };
  const shown = changes.map(
    ({ path, before, after }) => `${before === null ? '+' : after === null ? '-' : '~'} ${path.slice(root.length + 1)}`,
  );
  return { changes: shown.toSorted(), unheard };
}

const CASES: readonly (readonly [string, () => void, readonly string[]])[] = [
  ['nothing', () => undefined, []],
  ['a written file', () => put('folder/b', 'other'), ['~ folder/b']],
  ['a file written back as it was', () => [put('a', 'x'), put('a', 'a')], []],
  ['a file of the same size and time', () => [put('a', 'A'), utimesSync(at('a'), 1, 1)], ['~ a']],
  ['a mode', () => chmodSync(at('folder/inner'), 0o700), ['~ folder/inner']],
  [
    'a removed folder',
    () => rmSync(at('folder'), { recursive: true }),
    ['- folder', '- folder/b', '- folder/inner', '- folder/inner/c'],
  ],
  [
    'a folder made anew',
    () => [rmSync(at('folder/inner'), { recursive: true }), mkdirSync(at('folder/inner')), put('folder/inner/d', 'd')],
    ['+ folder/inner/d', '- folder/inner/c'],
  ],
  [
    'a moved folder',
    () => renameSync(at('folder/inner'), at('moved')),
    ['+ moved', '+ moved/c', '- folder/inner', '- folder/inner/c'],
  ],
  [
    'two folders that changed places',
    () => [
      mkdirSync(at('other')),
      put('other/x', 'x'),
      renameSync(at('folder'), at('t')),
      renameSync(at('other'), at('folder')),
      renameSync(at('t'), at('other')),
    ],
    [
      '+ folder/x',
      '+ other',
      '+ other/b',
      '+ other/inner',
      '+ other/inner/c',
      '- folder/b',
      '- folder/inner',
      '- folder/inner/c',
    ],
  ],
  [
    'a new folder with all in it',
    () => [mkdirSync(at('n/e/w'), { recursive: true }), put('n/e/w/f', 'f')],
    ['+ n', '+ n/e', '+ n/e/w', '+ n/e/w/f'],
  ],
  ['a link in place of a file', () => [rmSync(at('a')), symlinkSync('folder', at('a'))], ['~ a']],
  [
    'a file in place of a folder',
    () => [rmSync(at('folder/inner'), { recursive: true }), put('folder/inner', 'x')],
    ['- folder/inner/c', '~ folder/inner'],
  ],
  [
    'folders of ours and of dependencies',
    () => [mkdirSync(at('own')), put('own/x', 'x'), mkdirSync(at('node_modules')), put('node_modules/x', 'x')],
    ['+ node_modules'],
  ],
];

const WAYS: readonly (readonly [string, () => FolderWatch | undefined])[] = [
  ['by what the system tells', () => undefined],
  ['by looking at everything', () => new FolderWatch(base, 0)],
];

describe.each(WAYS)('a tree sees, %s,', (how, watch) => {
  test.each(CASES)('%s', async (_name, act, expected) => {
    await open(watch());
    act();
    const { changes, unheard } = await look();
    expect(changes).toEqual(expected);
    expect(unheard === null).toBe(how === 'by what the system tells' && process.platform === 'linux');
    expect((await look()).changes).toEqual([]);
  });
});

test('a tree sees what comes after a folder was moved, and in the new folder', async () => {
  await open();
  renameSync(at('folder'), at('moved'));
  await look();
  put('moved/inner/c', 'other');
  mkdirSync(at('folder'));
  put('folder/new', 'new');
  expect((await look()).changes).toEqual(['+ folder', '+ folder/new', '~ moved/inner/c']);
});

test('a file that was written under one of its names has changed under the others too', async () => {
  linkSync(at('a'), at('folder/also-a'));
  await open();
  put('folder/also-a', 'other');
  expect((await look()).changes).toEqual(['~ a', '~ folder/also-a']);
});

test('more changes than a queue surely holds make it look at everything', async () => {
  await open(new FolderWatch(base, 50));
  execFileSync('sh', ['-c', 'for i in $(seq 60); do : > "x$i"; done'], { cwd: join(root, 'folder') });
  rmSync(at('a'));
  const { changes, unheard } = await look();
  expect(unheard).toMatch(/^\d+ changes at once$/);
  expect(changes.filter((change) => change.startsWith('+'))).toHaveLength(60);
  expect(changes).toContain('- a');
});

test('a later session finds what has changed in the meantime, and does not read the rest again', async () => {
  utimesSync(at('a'), 1, 1);
  await (await open()).look();
  tree?.save();
  tree?.close();
  await open();
  put('a', 'x');
  expect((await look()).changes).toEqual(['~ a']);
});
