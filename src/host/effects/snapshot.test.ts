import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentStore } from './content-store.ts';
import { type SnapshotEntry, takeSnapshot, writeSnapshot } from './snapshot.ts';

let base: string;
let root: string;
let store: ContentStore;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-snapshot-')));
  root = join(base, 'from');
  for (const folder of [root, join(base, 'to'), join(base, 'kept')]) mkdirSync(folder);
  store = new ContentStore(join(base, 'kept', 'contents'));
});
afterEach(() => {
  store.close();
  rmSync(base, { recursive: true, force: true });
});

const take = (excluded: readonly string[] = []): Promise<readonly SnapshotEntry[]> =>
  takeSnapshot({ root, excluded, folder: join(base, 'kept'), store, signal: new AbortController().signal });

test('a folder comes back with bytes, modes, links, times and names that are no text; dependencies are left out by name', async () => {
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.bin'), Buffer.from([0, 255, 10, 13]), { mode: 0o750 });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), 'odd');
  symlinkSync('src/a.bin', join(root, 'link'));
  utimesSync(join(root, 'src', 'a.bin'), 1000, 1000);
  mkdirSync(join(root, 'src', 'node_modules'));
  writeFileSync(join(root, 'src', 'node_modules', 'x.js'), 'x');
  mkdirSync(join(root, 'ours'));
  writeFileSync(join(root, 'ours', 'state'), 'x');
  const entries = await take([join(root, 'ours')]);
  const to = join(base, 'to');
  expect(writeSnapshot(to, entries, (hash) => store.read(hash))).toEqual(['src/node_modules']);
  expect(readFileSync(join(to, 'src', 'a.bin'))).toEqual(Buffer.from([0, 255, 10, 13]));
  expect([statSync(join(to, 'src', 'a.bin')).mode & 0o777, statSync(join(to, 'src', 'a.bin')).mtimeMs]).toEqual([
    0o750, 1_000_000,
  ]);
  expect(readlinkSync(join(to, 'link'))).toBe('src/a.bin');
  expect(readFileSync(Buffer.concat([Buffer.from(`${to}/`), Buffer.from([0x66, 0xff])]), 'utf8')).toBe('odd');
  expect(existsSync(join(to, 'ours'))).toBe(false);
});

test('a snapshot from elsewhere writes through no link, and over nothing that it made', () => {
  const outside = join(base, 'outside');
  mkdirSync(outside);
  const hash = store.put(Buffer.from('evil'));
  const file = { kind: 'file', mode: 0o644, size: 4, hash } as const;
  const entries: SnapshotEntry[] = [
    { path: 'way', state: { kind: 'link', target: outside }, mtimeMs: 0 },
    { path: 'way/evil', state: file, mtimeMs: 0 },
    { path: 'no/folder', state: file, mtimeMs: 0 },
  ];
  expect(writeSnapshot(join(base, 'to'), entries, (wanted) => store.read(wanted))).toEqual(['way/evil', 'no/folder']);
  expect([existsSync(join(outside, 'evil')), lstatSync(join(base, 'to', 'way')).isSymbolicLink()]).toEqual([false, true]);
});

test('nothing that is made runs as somebody else', () => {
  const state = { kind: 'file', hash: store.put(Buffer.from('x')), mode: 0o6755, size: 1 } as const;
  const to = join(base, 'to');
  expect(writeSnapshot(to, [{ path: 'x', state, mtimeMs: 1000 }], (hash) => store.read(hash))).toEqual([]);
  expect(statSync(join(to, 'x')).mode & 0o7777).toBe(0o755);
});
