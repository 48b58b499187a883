import { expect, test } from 'vitest';
import { countOf, countOrNull } from './json-fields.ts';

test('a number of tokens is whole, not negative and exact; everything else is not told', () => {
  expect([0, 7, 2 ** 53 - 1].map(countOrNull)).toEqual([0, 7, 2 ** 53 - 1]);
  for (const value of [-1, 0.5, 2 ** 53, 1e300, Infinity, NaN, '7', null, undefined, {}]) {
    expect(countOrNull(value)).toBeNull();
    expect(countOf(value)).toBe(0);
  }
});
