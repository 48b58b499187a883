import { expect, test } from 'vitest';
import { isInQuotedPath, spotsOf, uniqueEdits, wholeWordSpots } from './spots.ts';

const LINES = ['foo foo', 'foobar', 'x', 'foo foo', 'y'];

test('spots are found in order, and whole words apart from longer ones', () => {
  expect(spotsOf(LINES, 'foo').map(({ line, column }) => [line, column])).toEqual([
    [0, 0],
    [0, 4],
    [1, 0],
    [3, 0],
    [3, 4],
  ]);
  expect(wholeWordSpots(LINES, 'foo').map(({ line }) => line)).toEqual([0, 0, 3, 3]);
  expect(wholeWordSpots(['a.b a'], 'a').map(({ column }) => column)).toEqual([0, 4]);
});

test('a line that stands twice takes its neighbours along, and only the spots change', () => {
  expect(uniqueEdits(LINES, wholeWordSpots(LINES, 'foo').slice(0, 2), { from: 'foo', to: 'bar' })).toEqual([
    { oldText: 'foo foo\nfoobar', newText: 'bar bar\nfoobar' },
  ]);
  expect(uniqueEdits(LINES, wholeWordSpots(LINES, 'foo').slice(2, 3), { from: 'foo', to: '' })).toEqual([
    { oldText: 'x\nfoo foo\ny', newText: 'x\n foo\ny' },
  ]);
});

test('a text of several lines is found where it begins', () => {
  expect(spotsOf(['a b', 'c d', 'a b', 'c'], 'b\nc')).toEqual([
    { line: 0, column: 2 },
    { line: 2, column: 2 },
  ]);
  expect(spotsOf(LINES, '')).toEqual([]);
});

test('edits that would overlap are one', () => {
  const lines = ['foo', 'foo', 'foobar', 'end'];
  const edits = uniqueEdits(lines, wholeWordSpots(lines, 'foo'), { from: 'foo', to: 'x' });
  expect(edits).toEqual([{ oldText: 'foo\nfoo\nfoobar', newText: 'x\nx\nfoobar' }]);
});

test.each([
  ["import { add } from './add.js';", [false, true]],
  ['const add = require("../lib/add")', [false, true]],
  ["load('add.ts', 'add')", [true, false]],
  ['fetch(`${add}/x/${add(1)}`)', [false, false]],
  ['say(\'errors.add\', "please add/remove", add / 2)', [false, false, false]],
])('of the places in %s those in a quoted path are %j', (line, expected) => {
  expect(spotsOf([line], 'add').map((spot) => isInQuotedPath([line], spot))).toEqual(expected);
});
