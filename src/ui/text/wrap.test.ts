import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from './display-width.ts';
import { wrap, wrapSpans } from './wrap.ts';

test('lines break at spaces, and a word that fits nowhere is cut', () => {
  expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  expect(wrap('a verylongwordindeed b', 8)).toEqual(['a', 'verylong', 'wordinde', 'ed b']);
  expect(wrap('one\ntwo', 10)).toEqual(['one', 'two']);
  expect(wrap('', 10)).toEqual(['']);
});

test('CJK lines break between characters, never before what closes nor behind what opens', () => {
  expect(wrap('今日は良い天気です。', 8)).toEqual(['今日は良', 'い天気で', 'す。']);
  expect(wrap('今日は晴。明日は', 8)).toEqual(['今日は', '晴。明日', 'は']);
  expect(wrap('他说「你好」。', 8)).toEqual(['他说「你', '好」。']);
  expect(wrap('价格是（一百）元', 8)).toEqual(['价格是', '（一百）', '元']);
  expect(wrap('한국어 문장입니다', 8)).toEqual(['한국어', '문장입니', '다']);
});

test('a style change inside a word is no place to break', () => {
  const spans = [
    { text: 'some wo', styles: [] },
    { text: 'rd', styles: ['bold' as const] },
  ];
  expect(wrapSpans(spans, 8).map((line) => line.map(({ text }) => text))).toEqual([['some'], ['wo', 'rd']]);
});

test('no line is wider than asked, and nothing but spaces at breaks is lost', () => {
  const glyph = fc.oneof(
    fc.constantFrom('a', 'b', ' ', '-', '日', '。', '（', '한', '👩‍👧', 'é'),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(glyph, { maxLength: 60 }), fc.integer({ min: 2, max: 20 }), (glyphs, width) => {
      const text = glyphs.join('');
      const lines = wrap(text, width);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(/[ \n]/g, '')).toBe(text.replaceAll(/[ \n]/g, ''));
    }),
  );
});
