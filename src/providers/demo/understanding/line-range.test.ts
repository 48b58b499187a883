import { expect, test } from 'vitest';
import { lineRangeIn } from './line-range.ts';

test.each([
  ['lines 10-20 of x', 10, 20],
  ['lines 20 to 10', 10, 20],
  ['from line 3 to line 7', 3, 7],
  ['line 5', 5, 5],
  ['the 5th line', 5, 5],
  ['first 20 lines', 1, 20],
  ['the last ten lines', -10, null],
  ['from line 30', 30, null],
  ['第 10 到 20 行', 10, 20],
  ['第2行到第4行', 2, 4],
  ['前 5 行', 1, 5],
  ['最后两行', -2, null],
  ['第二十三行', 23, 23],
  ['第一百零五行', 105, 105],
  ['从第 3 行开始', 3, null],
  ['最后一行', -1, null],
])('%s', (text, from, to) => {
  expect(lineRangeIn(text)).toEqual({ from, to });
});

test.each(['read a.txt', 'version 2 of the file', '第几行', '有多少行'])('%s names no lines', (text) => {
  expect(lineRangeIn(text)).toBeNull();
});
