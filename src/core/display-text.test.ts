import { expect, test } from 'vitest';
import { displayLine, displayText } from './display-text.ts';

test('control characters are shown and do nothing', () => {
  expect(displayText('a\u001b[31mb\u0007\u0000\r\u009b\u007f')).toBe('a\\x1b[31mb\\x07\\x00\\x0d\\x9b\\x7f');
  expect(displayText('tab\tand\nline')).toBe('tab\tand\nline');
});

test('characters that make text look like other text are named', () => {
  expect(displayText('a\u202eb\u2066c\u200fd\u061ce\u{e0041}')).toBe('a<U+202E>b<U+2066>c<U+200F>d<U+061C>e<U+E0041>');
  expect(displayText('plain é 日本 👩‍👩‍👧')).toBe('plain é 日本 👩‍👩‍👧');
});

test('a line is one line, cut between characters', () => {
  expect(displayLine('  one\n   two\r\nthree ')).toBe('one ⏎ two ⏎ three');
  expect(displayLine('😀'.repeat(10), 5)).toBe('😀😀😀😀…');
  expect(displayLine('😀'.repeat(5), 5)).toBe('😀😀😀😀😀');
});
