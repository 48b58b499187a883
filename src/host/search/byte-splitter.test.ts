import { expect, test } from 'vitest';
import { ByteSplitter } from './byte-splitter.ts';

function split(text: string, size: number, maxBytes = 100): string[] {
  const items: string[] = [];
  const splitter = new ByteSplitter(
    0x0a,
    (item, start, end, missing) => items.push(`${item.toString('utf8', start, end)}${missing > 0 ? `…${missing}` : ''}`),
    maxBytes,
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) splitter.add(bytes.subarray(at, at + size));
  return items;
}

test('items come whole, however the stream is cut', () => {
  for (let size = 1; size < 20; size++) expect(split('one\n\ntwo é\nthree', size)).toEqual(['one', '', 'two é']);
});

test('an item over the limit comes cut, and the next one whole', () => {
  for (let size = 1; size < 20; size++) expect(split('abcdefgh\nijk\nlmnop\n', size, 4)).toEqual(['abcd…4', 'ijk', 'lmno…1']);
});
