import type { Random } from './random.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const Z_95 = 1.959963984540054;

/** The 95 % interval of a share, from 0 to 1. Source: E. B. Wilson, Probable inference, JASA 22 (1927). */
export function wilsonInterval(right: number, count: number): Interval {
  if (count === 0) return { low: 0, high: 1 };
  const share = right / count;
  const square = Z_95 ** 2;
  const middle = share + square / (2 * count);
  const reach = Z_95 * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  const scale = 1 + square / count;
  return { low: right === 0 ? 0 : (middle - reach) / scale, high: right === count ? 1 : (middle + reach) / scale };
}

/** The chance of so uneven a split of the pairs that differ, were neither side better; two-sided and exact. Source: Q. McNemar, Psychometrika 12 (1947). */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  const count = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  let tail = 0;
  // In logarithms: the chance of one split of some thousand pairs is smaller than a number can be.
  let logChance = count * Math.log(0.5);
  for (let i = 0; i <= fewer; i++) {
    tail += Math.exp(logChance);
    logChance += Math.log((count - i) / (i + 1));
  }
  return Math.min(1, 2 * tail);
}

const ROUNDS = 10_000;

/** The 95 % interval of a mean, by drawing as many values again with repetition, many times. Source: B. Efron, Annals of Statistics 7 (1979). */
export function bootstrapInterval(values: readonly number[], random: Random): Interval {
  if (values.length === 0) return { low: 0, high: 0 };
  const means = Array.from({ length: ROUNDS }, () => meanOfDraw(values, random)).toSorted((a, b) => a - b);
  return { low: means[Math.floor(ROUNDS * 0.025)] ?? 0, high: means[Math.ceil(ROUNDS * 0.975) - 1] ?? 0 };
}

function meanOfDraw(values: readonly number[], random: Random): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / values.length;
}

/** The chance of a mean so far from 0, were the sign of each difference chance; by flipping them many times. Source: R. A. Fisher, The Design of Experiments (1935). */
export function signFlipTest(differences: readonly number[], random: Random): number {
  const some = differences.filter((difference) => difference !== 0);
  const seen = Math.abs(sum(some));
  let asFar = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let flipped = 0;
    for (const difference of some) flipped += random() < 0.5 ? difference : -difference;
    if (Math.abs(flipped) >= seen - 1e-12) asFar++;
  }
  return (asFar + 1) / (ROUNDS + 1);
}

/** Chances that were looked at together, made larger so that one of them is not small by looking often. Source: S. Holm, Scand. J. Statist. 6 (1979). */
export function holmAdjusted(chances: readonly number[]): readonly number[] {
  const order = chances.map((chance, i) => ({ chance, i })).toSorted((a, b) => a.chance - b.chance);
  const adjusted: number[] = Array.from({ length: chances.length }, () => 1);
  let most = 0;
  for (const [rank, { chance, i }] of order.entries()) {
    most = Math.max(most, Math.min(1, chance * (chances.length - rank)));
    adjusted[i] = most;
  }
  return adjusted;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
