import { describe, test } from 'vitest';
import { CHANGES, expectAllOrNothing } from '../crash/kill-steps.ts';

describe('a change that is killed at any of its steps', () => {
  test.each(CHANGES)('$what: after the next start all is old or all is new', (change) => expectAllOrNothing(change, 1));
});
