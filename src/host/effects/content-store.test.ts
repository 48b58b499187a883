import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentStore, contentHash } from './content-store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-contents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Buffer => Buffer.from(text);
const filesIn = (): string[] => readdirSync(folder).toSorted();
const pack = (): string => join(folder, filesIn().find((name) => name.endsWith('.pack')) ?? '');

test('a content can be read before it is on the disk, after, and in another process', () => {
  const store = new ContentStore(folder);
  const hashes = ['one', '', 'two'].map((text) => store.put(bytes(text)));
  expect(hashes).toEqual(['one', '', 'two'].map((text) => contentHash(bytes(text))));
  const texts = (from: ContentStore): string[] => hashes.map((hash) => Buffer.from(from.read(hash) ?? []).toString());
  expect(texts(store)).toEqual(['one', '', 'two']);
  expect(filesIn()).toEqual([]);
  store.flush();
  expect(texts(store)).toEqual(['one', '', 'two']);
  expect(texts(new ContentStore(folder))).toEqual(['one', '', 'two']);
  store.close();
});

test('the same content is kept once, by two processes at once too', () => {
  const [one, other] = [new ContentStore(folder), new ContentStore(folder)];
  one.put(bytes('same'));
  one.flush();
  const size = statSync(pack()).size;
  one.put(bytes('same'));
  one.flush();
  expect(statSync(pack()).size).toBe(size);
  other.put(bytes('of the other'));
  other.close();
  one.close();
  const third = new ContentStore(folder);
  expect([third.has(contentHash(bytes('same'))), third.has(contentHash(bytes('of the other')))]).toEqual([true, true]);
});

test('files are 0600', () => {
  const store = new ContentStore(folder);
  store.put(bytes('secret'));
  store.close();
  expect(filesIn().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('a damaged content is not given out, and a line that was cut off is left out', () => {
  const store = new ContentStore(folder);
  const hash = store.put(bytes('whole'));
  store.close();
  appendFileSync(`${pack()}.list`, `${contentHash(bytes('cut'))} 0 1`);
  expect(new ContentStore(folder).has(contentHash(bytes('cut')))).toBe(false);
  const packed = readFileSync(pack());
  packed[packed.length - 3] = (packed[packed.length - 3] ?? 0) ^ 0xff;
  writeFileSync(pack(), packed);
  expect(new ContentStore(folder).read(hash)).toBeNull();
});

test('what is not there is null', () => {
  expect(new ContentStore(folder).read(contentHash(bytes('nothing')))).toBeNull();
});
