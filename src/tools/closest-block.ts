/** The lines of a file that are most like the ones looked for. */
export interface ClosestBlock {
  /** 0-based. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** The 0-based line that differs first, what was looked for there, and what the file has, null where it has no such line; null where only the ends differ. */
  readonly difference: { readonly line: number; readonly wanted: string; readonly found: string | null } | null;
}

/** A longer file is searched by whole lines only, which stays linear. */
export const MAX_FUZZY_LINES = 20_000;
const MIN_LIKENESS = 0.5;
// Of a longer line the rest tells nothing new.
const MAX_LINE_CHARS = 5000;

/** The block that shares the most with `wanted`, or null where nothing is similar. */
export function findClosestBlock(lines: readonly string[], wanted: readonly string[]): ClosestBlock | null {
  const first = mostVotedStart(lines, wanted) ?? likeliestStart(lines, wanted);
  if (first === null) return null;
  const firstLine = Math.max(0, Math.min(first, lines.length - 1));
  const lineCount = Math.min(wanted.length, lines.length - firstLine);
  return { firstLine, lineCount, difference: firstDifference(lines, wanted, first) };
}

/** Each line of the file that is wanted, white space aside, votes for where the block would start; longer lines count more. */
function mostVotedStart(lines: readonly string[], wanted: readonly string[]): number | null {
  const keyOf = lines.length > MAX_FUZZY_LINES ? (line: string) => line.trim() : squeeze;
  const places = new Map<string, number[]>();
  wanted.forEach((line, i) => {
    const key = keyOf(line);
    if (key.length > 1) places.set(key, [...(places.get(key) ?? []), i]);
  });
  const votes = new Map<number, number>();
  lines.forEach((line, at) => {
    const key = keyOf(line);
    for (const place of places.get(key) ?? []) votes.set(at - place, (votes.get(at - place) ?? 0) + key.length);
  });
  let best: { readonly start: number; readonly weight: number } | null = null;
  for (const [start, weight] of votes) {
    const isBetter = best === null || weight > best.weight || (weight === best.weight && start < best.start);
    if (isBetter) best = { start, weight };
  }
  return best?.start ?? null;
}

/** Without a whole line in common: the line that holds most words of the longest wanted line. */
function likeliestStart(lines: readonly string[], wanted: readonly string[]): number | null {
  if (lines.length > MAX_FUZZY_LINES) return null;
  const longest = wanted.reduce((best, line, i) => (squeeze(line).length > squeeze(wanted[best] ?? '').length ? i : best), 0);
  const words = wordsOf(wanted[longest] ?? '');
  let best = { start: null as number | null, likeness: MIN_LIKENESS };
  lines.forEach((line, i) => {
    const likeness = likenessOf(words, wordsOf(line));
    if (likeness > best.likeness) best = { start: i - longest, likeness };
  });
  return best.start;
}

function firstDifference(lines: readonly string[], wanted: readonly string[], start: number): ClosestBlock['difference'] {
  for (const [i, line] of wanted.entries()) {
    const found = lines[start + i] ?? null;
    if (found !== line) return { line: start + i, wanted: line, found };
  }
  return null;
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim();
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, MAX_LINE_CHARS).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
}

/** How many of the wanted words a line holds, 0 to 1; what it holds beside them counts a little against it. */
function likenessOf(wanted: ReadonlySet<string>, line: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of wanted) if (line.has(word)) shared++;
  return shared === 0 ? 0 : shared / wanted.size - (line.size - shared) / 1000;
}
