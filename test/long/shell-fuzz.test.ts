import { describe, expect, test } from 'vitest';
import { missesOf } from '../shell-fuzz.ts';

const COUNT = Number(process.env['SHELL_FUZZ_COUNT'] ?? 100_000);
const FROM = Number(process.env['SHELL_FUZZ_FROM'] ?? 1_000_000);
const BATCH = 500;

describe('many commands of a grammar, run in real bash', () => {
  test(`of ${COUNT}, none does what the reader does not tell of`, { timeout: 0 }, () => {
    for (let at = 0; at < COUNT; at += BATCH) {
      expect(missesOf({ from: FROM + at, count: Math.min(BATCH, COUNT - at) })).toEqual([]);
    }
  });
});
