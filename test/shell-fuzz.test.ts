import { describe, expect, test } from 'vitest';
import { missesOf } from './shell-fuzz.ts';

describe('commands of a grammar, run in real bash', () => {
  // Each is a process or more, which takes long where others use the machine too.
  test('no program starts and no file is written that the reader does not tell of', { timeout: 120_000 }, () =>
    expect(missesOf({ from: 1, count: 500 })).toEqual([]),
  );
});
