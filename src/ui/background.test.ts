import { expect, test } from 'vitest';
import { backgroundOf } from './background.ts';
import { createKeyReader } from './keys/key-reader.ts';
import type { Key } from './keys/key.ts';

test('a background is dark or light by how bright it looks, in any number of digits', () => {
  const told = ['\u001b]11;rgb:0000/0000/0000\u0007', '\u001b]11;rgb:ff/ff/ff\u001b\\', '\u001b]11;rgb:f/f/d\u0007'].map(
    backgroundOf,
  );
  expect(told).toEqual(['dark', 'light', 'light']);
  expect(backgroundOf('\u001b]11;rgb:0000/0000/ffff\u0007')).toBe('dark');
  for (const other of ['\u001b]10;rgb:0/0/0\u0007', '\u001b]11;?\u0007', '']) expect(backgroundOf(other)).toBeNull();
});

test('an answer of the terminal is no key, also where it comes in pieces between keys', () => {
  const keys: Key[] = [];
  const reports: string[] = [];
  const read = createKeyReader(
    (key) => keys.push(key),
    (report) => reports.push(report),
  );
  for (const piece of ['a\u001b]11;rgb:1c1c/', '1c1c/1c1c\u001b\\b']) read(piece);
  expect([keys, reports]).toEqual([
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    ['\u001b]11;rgb:1c1c/1c1c/1c1c\u001b\\'],
  ]);
});
