import { expect, test } from 'vitest';
import { expectSessionsSurvive } from '../crash/killed-sessions.ts';

test('kill -9 at 60 moments of a session of 200 calls: each goes on with every whole record and a sound request', {
  timeout: 2_400_000,
}, async () => {
  const { unknownOutcomes } = await expectSessionsSurvive(60, 200);
  // Some of them were killed in the middle of a call.
  expect(unknownOutcomes).toBeGreaterThan(0);
});
