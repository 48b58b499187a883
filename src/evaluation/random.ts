/** Numbers from 0 to below 1. */
export type Random = () => number;

/** A small generator that gives the same numbers for the same seed. Source: G. Marsaglia, Xorshift RNGs, J. Stat. Softw. 8 (2003). */
export function seededRandom(seed: number): Random {
  // Its state is never 0, and neighbouring seeds begin far apart.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}

/** The same items in another order. */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
