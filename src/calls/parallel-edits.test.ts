import fc from 'fast-check';
import { test } from 'vitest';
import { equalsSerialOrder } from '../../test/serial-order.ts';

// 2,000 of them: test/long/serial-order.test.ts
test('parallel reads, edits and rewrites equal the calls one after the other, and no update is lost (60 sessions)', {
  timeout: 120_000,
}, async () => {
  await fc.assert(equalsSerialOrder, { numRuns: 60 });
});
