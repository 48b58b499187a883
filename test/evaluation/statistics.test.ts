import { describe, expect, test } from 'vitest';
import { seededRandom, shuffled } from '../../src/evaluation/random.ts';
import {
  bootstrapInterval,
  holmAdjusted,
  mcnemarExact,
  mean,
  signFlipTest,
  wilsonInterval,
} from '../../src/evaluation/statistics.ts';

describe('the interval of a share', () => {
  test('is the one of the textbooks', () => {
    // 81 of 263, as in Newcombe, Statistics in Medicine 17 (1998), table I: 0.2553 to 0.3662.
    const { low, high } = wilsonInterval(81, 263);
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.2553', '0.3662']);
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect([wilsonInterval(0, 20).low, wilsonInterval(20, 20).high]).toEqual([0, 1]);
  });
});

describe("McNemar's exact test", () => {
  test('is the two-sided binomial test of the pairs that differ', () => {
    // 2 of 10: 2 · (1 + 10 + 45) / 1024.
    expect(mcnemarExact(2, 8)).toBeCloseTo((2 * 56) / 1024, 12);
    expect(mcnemarExact(8, 2)).toBe(mcnemarExact(2, 8));
    expect([mcnemarExact(0, 0), mcnemarExact(5, 5)]).toEqual([1, 1]);
    expect(mcnemarExact(1000, 3000)).toBeLessThan(1e-100);
  });
});

describe('the paired bootstrap', () => {
  test('holds the true difference about 95 times in 100', () => {
    const random = seededRandom(7);
    const truth = 0.1;
    // Tasks on which the second is better by 0.1 on average: +1 in 25 %, -1 in 15 %.
    const draw = (): number => {
      const at = random();
      return at < 0.25 ? 1 : at < 0.4 ? -1 : 0;
    };
    const held = Array.from({ length: 30 }, () => {
      const { low, high } = bootstrapInterval(Array.from({ length: 120 }, draw), random);
      return low <= truth && truth <= high;
    });
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(26);
  });
});

describe('the sign-flip test', () => {
  test("gives what McNemar's test gives where each pair is one task", () => {
    const differences = [...Array<number>(12).fill(1), ...Array<number>(3).fill(-1), ...Array<number>(50).fill(0)];
    expect(signFlipTest(differences, seededRandom(1))).toBeCloseTo(mcnemarExact(3, 12), 2);
    expect(signFlipTest([0, 0, 0], seededRandom(1))).toBe(1);
  });
});

test('chances that were looked at together grow by the method of Holm, and keep their order', () => {
  expect(holmAdjusted([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5]);
});

test('the same seed gives the same numbers, another one others, and all of them fill their range', () => {
  const [a, b, c] = [seededRandom(1), seededRandom(1), seededRandom(2)].map((random) => Array.from({ length: 2000 }, random));
  expect(a).toEqual(b);
  expect(a).not.toEqual(c);
  expect(mean(a ?? [])).toBeCloseTo(0.5, 1);
  expect(shuffled([1, 2, 3, 4, 5], seededRandom(3)).toSorted((x, y) => x - y)).toEqual([1, 2, 3, 4, 5]);
});
