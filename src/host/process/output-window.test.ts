import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutputWindow } from './output-window.ts';
import { SpillStore } from '../files/spill.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-window-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function shown(chunks: readonly (string | Uint8Array)[], size = { headChars: 4, tailChars: 6 }) {
  const window = new OutputWindow(size, new SpillStore(join(folder, 'spill')));
  for (const chunk of chunks) await window.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return window.finish();
}

const spilled = (): string[] =>
  readdirSync(join(folder, 'spill')).map((name) => readFileSync(join(folder, 'spill', name), 'utf8'));

test('a short output is shown whole and leaves no file', async () => {
  expect(await shown(['abcde', 'fghij'])).toEqual({ text: 'abcdefghij', omittedChars: 0, path: null });
  expect(readdirSync(folder)).toEqual([]);
  // Ten characters of more bytes.
  expect(await shown(['日本語日本語日本語日'])).toEqual({ text: '日本語日本語日本語日', omittedChars: 0, path: null });
  expect(spilled()).toEqual([]);
});

test('of a long output head and tail are shown, and all of it is kept', async () => {
  const { text, omittedChars, path } = await shown(['0123456789', 'abcdef', 'ghij']);
  expect(text).toBe(`0123\n[… 10 characters left out; all of it: ${path} …]\nefghij`);
  expect(omittedChars).toBe(10);
  expect(spilled()).toEqual(['0123456789abcdefghij']);
  expect(statSync(path ?? '').mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'spill')).mode & 0o777).toBe(0o700);
});

test('a text that grows over the limit in the showing is cut, and its bytes are kept', async () => {
  const { text, omittedChars, path } = await shown(['\0\0\0\0']);
  expect(text).toBe(`\\x00\n[… 6 characters left out; all of it: ${path} …]\n00\\x00`);
  expect(omittedChars).toBe(6);
  expect(spilled()).toEqual(['\0\0\0\0']);
});

test('beyond what is held in memory the count is of bytes, and no character is halved', async () => {
  const chunk = Buffer.from('😀'.repeat(10_000));
  // One byte before them all puts the edges of what is held into the middle of characters.
  const { text, omittedChars } = await shown(['a', ...Array.from({ length: 20 }, () => chunk)]);
  expect(omittedChars).toBe(800_001 - 10);
  expect(text).toMatch(/^a😀😀😀\n\[… about 799991 characters left out; all of it: \S+ …\]\n😀{6}$/u);
  expect(spilled()).toEqual([`a${'😀'.repeat(200_000)}`]);
});

test('where all that is held is shown, no character is halved at its edges', async () => {
  const chunk = Buffer.from('😀'.repeat(10_000));
  const { text } = await shown(['a', ...Array.from({ length: 20 }, () => chunk)], { headChars: 100_000, tailChars: 600_000 });
  expect(text).toMatch(/^a(😀)+\n\[… about 100001 characters left out; all of it: \S+ …\]\n(😀)+$/u);
});

test('a million tiny pieces cost no more than their bytes', async () => {
  const piece = Buffer.from('x');
  const window = new OutputWindow({ headChars: 4, tailChars: 6 }, new SpillStore(join(folder, 'file-in-the-way')));
  writeFileSync(join(folder, 'file-in-the-way'), '');
  for (let i = 0; i < 1_000_000; i++) await window.add(piece);
  expect((await window.finish()).text).toContain('about 999990 characters left out');
});

test('where nothing can be kept the output is shown all the same, and the mark says so', async () => {
  writeFileSync(join(folder, 'spill'), 'a file where the folder should be');
  expect(await shown(['0123456789', 'abcdef'])).toEqual({
    text: expect.stringMatching(/^0123\n\[… 6 characters left out; they could not be kept: EEXIST.* …\]\nabcdef$/),
    omittedChars: 6,
    path: null,
  });
});
