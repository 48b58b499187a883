import { conceptsOfName, synonymsOf } from '../understanding/content-words.ts';
import type { Entry } from './entry.ts';

/** What a question found among the entries of a file. `unmatched` are asked words that no key of the best entries has. */
export interface EntryMatch {
  readonly best: readonly Entry[];
  readonly unmatched: readonly string[];
}

// Words that ask for the state of a value rather than for its key.
const STATE_WORDS = new Set(['enabled', 'disabled', 'default', 'main', 'count', 'type', 'time', 'size', 'name']);
const LEAF = 3;
const PARENT = 2;
const NEIGHBOUR = 1.5;
const EXACT = 4;

/** The entries that the asked words fit best: all with the highest score, in order of the file. */
export function matchEntries(entries: readonly Entry[], words: readonly string[]): EntryMatch {
  const scored = entries.map((entry) => ({ entry, ...scoreOf(entry, words, entries) })).filter((found) => found.isNamed);
  const top = Math.max(0, ...scored.map((found) => found.score));
  const best = scored.filter((found) => found.score === top);
  const matched = best[0]?.matched ?? [];
  return {
    best: best.map((found) => found.entry),
    unmatched: words.filter((word) => !matched.includes(word) && !STATE_WORDS.has(word)),
  };
}

/** The lines that mention an asked word or a synonym of it, those with most words first. */
export function nearestLines(lines: readonly string[], words: readonly string[]): readonly number[] {
  const spellings = words.map((word) => [word, ...synonymsOf(word)].map((name) => name.toLowerCase()));
  const scored = lines.map((text, index) => {
    const lower = text.toLowerCase();
    return { index, score: spellings.filter((names) => names.some((name) => lower.includes(name))).length };
  });
  return scored
    .filter((line) => line.score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .map((line) => line.index);
}

interface Score {
  readonly score: number;
  readonly matched: readonly string[];
  /** A word names the entry itself, not only what is above it. */
  readonly isNamed: boolean;
}

function scoreOf(entry: Entry, words: readonly string[], entries: readonly Entry[]): Score {
  const leafName = entry.keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const leaf = conceptsOfName(leafName);
  const parents = entry.keys.slice(0, -1).flatMap(conceptsOfName);
  const neighbours = namesBeside(entry, entries);
  const points = new Map(
    words.map((word) => [word, pointsOf(word, { leafName, leaf, parents, neighbours, path: entry.keys.join('.') })]),
  );
  const matched = words.filter((word) => (points.get(word) ?? 0) > 0);
  const isNamed = words.some((word) => (points.get(word) ?? 0) >= LEAF);
  const extra = leaf.filter((word) => !words.includes(word)).length;
  const sum = matched.reduce((total, word) => total + (points.get(word) ?? 0), 0);
  return { score: sum - 0.3 * extra - 0.1 * entry.keys.length - (entry.isContainer ? 0.5 : 0), matched, isNamed };
}

interface Names {
  readonly leafName: string;
  readonly leaf: readonly string[];
  readonly parents: readonly string[];
  readonly neighbours: readonly string[];
  readonly path: string;
}

function pointsOf(word: string, names: Names): number {
  const squeezed = squeeze(word);
  if (squeezed !== '' && (squeeze(names.leafName) === squeezed || (word.includes('.') && squeeze(names.path).endsWith(squeezed))))
    return EXACT;
  const lower = word.toLowerCase();
  if (names.leaf.includes(lower)) return LEAF;
  if (names.leaf.some((part) => part.length > 3 && lower.length > 3 && (part.startsWith(lower) || lower.startsWith(part))))
    return LEAF;
  if (names.parents.includes(lower)) return PARENT;
  return names.neighbours.includes(lower) ? NEIGHBOUR : 0;
}

// In a list of objects the `name` beside a value tells which one it is.
function namesBeside(entry: Entry, entries: readonly Entry[]): readonly string[] {
  const above = entry.keys.slice(0, -1);
  if (!/^\d+$/.test(above.at(-1) ?? '')) return [];
  const siblings = entries.filter(
    (other) => other.keys.length === entry.keys.length && above.every((key, at) => other.keys[at] === key),
  );
  return siblings
    .filter((other) => /^(?:name|id|type|kind|service|title)$/i.test(other.keys.at(-1) ?? ''))
    .flatMap((other) => conceptsOfName(other.value));
}

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
