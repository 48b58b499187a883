import fc from 'fast-check';
import { test } from 'vitest';
import { changesKeepTheRest } from '../changes-keep-the-rest.ts';

test('bytes outside a change stay, whatever the encoding, line ends and mark (20,000 files)', { timeout: 900_000 }, async () => {
  await fc.assert(changesKeepTheRest, { numRuns: 20_000 });
});
