import { describe, expect, test } from 'vitest';
import { missesOf } from './shell-fuzz.ts';

describe('commands of a grammar, run in real bash', () => {
  test('no program starts and no file is written that the reader does not tell of', () =>
    expect(missesOf({ from: 1, count: 300 })).toEqual([]));
});
