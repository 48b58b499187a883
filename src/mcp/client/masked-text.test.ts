import { expect, test } from 'vitest';
import { maskFilled } from './masked-text.ts';

const MASKS = [
  { shown: '${KEY}', value: 'a"b$c d' },
  { shown: '${PART}', value: 'a"b$' },
  { shown: '${SHORT}', value: 'no' },
  { shown: '${EMPTY}', value: '' },
];

test('a filled value is masked as it was, in JSON, in a URL and in other letters, the longest first', () => {
  expect(maskFilled('a"b$c d, a\\"b$c d, a%22b%24c%20d, A"B$C D, a"b$!', MASKS)).toBe('${KEY}, ${KEY}, ${KEY}, ${KEY}, ${PART}!');
});

test('what is too short to be a secret stays', () => {
  expect(maskFilled('there is no cat', MASKS)).toBe('there is no cat');
});
