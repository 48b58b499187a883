import { expect, test } from 'vitest';
import { shortHash } from './hash.ts';

test('a hash tells contents apart, by text or bytes', () => {
  expect(shortHash('abc')).toBe('ba7816bf8f01cfea');
  expect(shortHash(Buffer.from('abc'))).toBe(shortHash('abc'));
});
