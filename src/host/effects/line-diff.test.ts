import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

test('shows three lines around each change, and a missing line end', () => {
  const lines = Array.from({ length: 12 }, (_, i) => `${i + 1}\n`);
  const after = lines.with(1, 'two\n').with(11, 'twelve');
  expect(lineDiff(lines.join(''), after.join(''))).toEqual([
    '@@ -1,5 +1,5 @@',
    ' 1',
    '-2',
    '+two',
    ' 3',
    ' 4',
    ' 5',
    '@@ -9,4 +9,4 @@',
    ' 9',
    ' 10',
    ' 11',
    '-12',
    '+twelve',
    '\\ No newline at end of file',
  ]);
});

test('a new file and an emptied one', () => {
  expect(lineDiff('', 'a\n')).toEqual(['@@ -0,0 +1,1 @@', '+a']);
  expect(lineDiff('a\n', '')).toEqual(['@@ -1,1 +0,0 @@', '-a']);
  expect(lineDiff('a\n', 'a\n')).toEqual([]);
});

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 30 }).map((lines) => lines.join(''));

test('git apply makes the one out of the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-diff-'));
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = lineDiff(before, after);
        if (hunks.length === 0) return before === after;
        writeFileSync(join(folder, 'f'), before);
        execFileSync('git', ['apply', '-'], { cwd: folder, input: `--- a/f\n+++ b/f\n${hunks.join('\n')}\n` });
        return readFileSync(join(folder, 'f'), 'utf8') === after;
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('texts that have nothing in common are replaced whole, at once', () => {
  const many = (word: string): string => Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n`).join('');
  const diff = lineDiff(many('a'), many('b'));
  expect(diff).toHaveLength(6001);
  expect(diff[1]).toBe('-a 0');
});
