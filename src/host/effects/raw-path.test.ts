import { expect, test } from 'vitest';
import { isRawPath, rawPath, shownPath, systemPath } from './raw-path.ts';

test('a name goes to bytes and back, whatever its letters are', () => {
  for (const name of ['plain', 'gr\u00fcn', '\u4f60\u597d', '\ud83d\ude00']) expect(shownPath(rawPath(name))).toBe(name);
  expect(systemPath('f\u00ff')).toEqual(Buffer.from([0x66, 0xff]));
});

test('a text that is no path of bytes never becomes another path', () => {
  for (const text of ['\u012e\u012e\u012fetc', 'a\0b']) expect(isRawPath(text)).toBe(false);
  expect(() => systemPath('\u012e\u012e\u012fetc')).toThrow(/no path of bytes/);
});
