import fc from 'fast-check';
import { test } from 'vitest';
import { equalsSerialOrder } from '../serial-order.ts';

test('parallel reads, edits and rewrites equal the calls one after the other, and no update is lost (2,000 sessions)', {
  timeout: 900_000,
}, async () => {
  await fc.assert(equalsSerialOrder, { numRuns: 2000 });
});
