import { expect, test } from 'vitest';
import { RingBuffer } from './ring-buffer.ts';

test('the last bytes are kept in order, whatever pieces they come in', () => {
  const all = Buffer.from('abcdefghijklmnopqrstuvwxyz');
  for (const capacity of [1, 3, 7, 26, 40]) {
    for (const size of [1, 2, 5, 26]) {
      const ring = new RingBuffer(capacity);
      expect(ring.bytes()).toEqual(new Uint8Array());
      for (let at = 0; at < all.length; at += size) {
        ring.add(all.subarray(at, at + size));
        expect(Buffer.from(ring.bytes()).toString()).toBe(all.toString('utf8', 0, Math.min(26, at + size)).slice(-capacity));
      }
    }
  }
});

test('what was handed out does not change with later bytes', () => {
  const ring = new RingBuffer(4);
  ring.add(Buffer.from('abcd'));
  const before = ring.bytes();
  ring.add(Buffer.from('ef'));
  expect(Buffer.from(before).toString()).toBe('abcd');
});
