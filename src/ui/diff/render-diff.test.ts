import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, withoutEscapes } from '../text/display-width.ts';
import { createTheme } from '../theme.ts';
import { renderDiff } from './render-diff.ts';
import { renderPatch } from './render-patch.ts';

const theme = createTheme('plain');
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

test('changes are numbered, with three lines around them and a sign where lines were left out', () => {
  const after = numbers(20).replace('line 2\n', 'line two\nnew\n').replace('line 19\n', '');
  expect(renderDiff(numbers(20), after, { width: 40, theme, path: 'src/a.ts' })).toEqual([
    'src/a.ts  +2 -2',
    ' 1   line 1',
    ' 2 - line 2',
    ' 2 + line two',
    ' 3 + new',
    ' 4   line 3',
    ' 5   line 4',
    ' 6   line 5',
    ' ⋮',
    '17   line 16',
    '18   line 17',
    '19   line 18',
    '19 - line 19',
    '20   line 20',
  ]);
});

test('above 140 columns both texts stand beside each other', () => {
  const rows = renderDiff('a\nb\n', 'a\nc\nd\n', { width: 36, theme, path: 'x', isSideBySide: true });
  expect(rows).toEqual(['x  +2 -1', '1   a            │ 1   a', '2 - b            │ 2 + c', '                 │ 3 + d']);
  expect(renderDiff('b\n', 'c\n', { width: 141, theme, path: 'x' })[1]).toContain('│');
  expect(renderDiff('b\n', 'c\n', { width: 140, theme, path: 'x' })[1]).not.toContain('│');
});

test('what changed within a line stands out', () => {
  const rows = renderDiff('const a = one;\n', 'const a = two;\n', { width: 40, theme: createTheme('ansi-16'), path: 'x' });
  expect(rows.slice(1)).toEqual([
    '\u001b[2m1\u001b[22m \u001b[31m-\u001b[39m \u001b[31mconst a = \u001b[39m\u001b[31;7mone\u001b[39;27m\u001b[31m;\u001b[39m',
    '\u001b[2m1\u001b[22m \u001b[32m+\u001b[39m \u001b[32mconst a = \u001b[39m\u001b[32;7mtwo\u001b[39;27m\u001b[32m;\u001b[39m',
  ]);
});

test('line ends, a missing one and tabs can be seen', () => {
  expect(renderDiff('a\n', 'a\r\n', { width: 40, theme, path: 'x' })).toEqual(['x  +1 -1', '1 - a␊', '1 + a␍␊']);
  expect(renderDiff('a\n', 'a', { width: 60, theme, path: 'x' })[2]).toBe('1 + a (no newline at the end)');
  expect(renderDiff('', '\ta\tb\n', { width: 40, theme, path: 'x' })[1]).toBe('1 +     a   b');
  expect(renderDiff('a\n', 'a\n', { width: 40, theme, path: 'x\u001b' })).toEqual(['x\\x1b  no changes']);
});

test('a huge change is cut, and says by how much', () => {
  const rows = renderDiff(numbers(20_000), numbers(20_000).replaceAll('line', 'row'), { width: 40, theme, path: 'x' });
  expect([rows.length, rows.at(-1)]).toEqual([402, '… 39,600 more changed lines']);
});

test('a patch is drawn as a diff, and what is no part of a hunk as it stands', () => {
  const patch =
    '--- a/x\n+++ b/x\n@@ -10,2 +10,2 @@ fn\n k\n-a\n+b\n\\ No newline at end of file\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n--- x\n+++ x\n';
  expect(renderPatch(patch, { width: 60, theme })).toEqual([
    '--- a/x',
    '+++ b/x',
    '10   k',
    '11 - a',
    '11 + b (no newline at the end)',
    '--- a/y',
    '+++ b/y',
    '1 - -- x',
    '1 + ++ x',
  ]);
  const own = '*** Begin Patch\n*** Add File: b\n+one\n*** Update File: c\n@@ head\n k\n-a\n+b\n*** End Patch';
  expect(renderPatch(own, { width: 60, theme })).toEqual([
    '*** Begin Patch',
    '*** Add File: b',
    '1 + one',
    '*** Update File: c',
    '    k',
    '  - a',
    '  + b',
    '*** End Patch',
  ]);
});

test('no row is wider than asked, and nothing of the texts acts on the terminal', () => {
  const text = fc
    .array(
      fc.constantFrom('a', 'b ', '日本', '\t', '\n', '\r\n', '\u001b[2J', '\u202e', '@@ -1 +1 @@\n', '+', '-', 'x'.repeat(50)),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, fc.integer({ min: 2, max: 60 }), fc.boolean(), (before, after, width, isSideBySide) => {
      const options = { width: isSideBySide ? width + 20 : width, theme: createTheme('dark'), isSideBySide };
      for (const row of [...renderDiff(before, after, { ...options, path: 'p' }), ...renderPatch(before + after, options)]) {
        expect(displayWidth(row)).toBeLessThanOrEqual(options.width);
        expect(withoutEscapes(row)).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }),
    { numRuns: 200 },
  );
});
