import { expect, test } from 'vitest';
import { addSpend, costOf, isReported, NO_SPEND, spendOf } from './accounting.ts';
import { type ModelPrice, NO_USAGE, type Usage } from './model.ts';

const PRICE: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, source: 'a list', date: '2026-11-30' };
const USAGE: Usage = {
  inputTokens: 1000,
  outputTokens: 200,
  cacheReadTokens: 10_000,
  cacheWriteTokens: 400,
  reasoningTokens: 150,
};

test('a response costs each kind of token at its own price, and reasoning once', () => {
  expect(costOf(USAGE, PRICE)).toBeCloseTo(0.003 + 0.003 + 0.003 + 0.0015, 12);
});

test('without a price, or without tokens that were told of, the cost is unknown and not nothing', () => {
  expect(costOf(USAGE, null)).toBeNull();
  expect(costOf(NO_USAGE, PRICE)).toBeNull();
  expect(isReported(NO_USAGE)).toBe(false);
});

test('a sum with an unknown part is unknown, and its tokens are still summed', () => {
  const known = spendOf(USAGE, PRICE, false);
  expect(addSpend(NO_SPEND, known)).toEqual(known);
  expect(addSpend(known, spendOf(USAGE, null, false))).toEqual({
    usage: { inputTokens: 2000, outputTokens: 400, cacheReadTokens: 20_000, cacheWriteTokens: 800, reasoningTokens: 300 },
    cost: null,
  });
});

test('a request that was refused counts only what the provider told of', () => {
  expect(spendOf(NO_USAGE, PRICE, true)).toEqual(NO_SPEND);
  expect(spendOf(NO_USAGE, PRICE, false)).toEqual({ usage: NO_USAGE, cost: null });
  expect(spendOf(USAGE, PRICE, true).cost).toBeGreaterThan(0);
});
