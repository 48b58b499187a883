import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, expandTabs, padEnd, truncate } from './display-width.ts';

test('a width is counted in columns, not in characters', () => {
  expect(['', 'abc', '日本', 'ｶﾞ', 'é', 'e\u0301', '👩‍👩‍👧', '한국', '\u001b[1mab\u001b[22m'].map(displayWidth)).toEqual([
    0, 3, 4, 2, 1, 1, 2, 4, 2,
  ]);
});

test('a text is cut between glyphs, and its styles still end', () => {
  expect(truncate('a longer line', 6)).toBe('a lon…');
  expect(truncate('日本語の文', 6)).toBe('日本…');
  expect(truncate('\u001b[1mbold and long\u001b[22m', 6)).toBe('\u001b[1mbold …\u001b[22m');
  expect(truncate('fits', 4)).toBe('fits');
  expect(truncate('gone', 0)).toBe('');
});

test('what was cut is never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 0, max: 20 }), (text, width) => {
      expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('tabs reach to the next stop, also behind wide characters', () => {
  expect(expandTabs('\ta\tb')).toBe('    a   b');
  expect(expandTabs('日\tx\n\ty')).toBe('日  x\n    y');
  expect(padEnd('日', 4)).toBe('日  ');
});
