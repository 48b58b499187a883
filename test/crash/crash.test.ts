import { describe, test } from 'vitest';
import type { TreeChange } from './killed-change.ts';
import { CHANGES, expectAllOrNothing } from './kill-steps.ts';

// Not before every step, which takes a minute: that is in the long run.
const STRIDES: Partial<Record<TreeChange, number>> = { patch: 11, write: 3, 'write of a linked file': 5 };

describe('a change that is killed at some of its steps', () => {
  test.each(CHANGES)('$what: after the next start all is old or all is new', { timeout: 180_000 }, (change) =>
    expectAllOrNothing(change, STRIDES[change.what] ?? 1),
  );
});
