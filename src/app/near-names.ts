import { editDistance } from '../core/edit-distance.ts';

const MAX_NAMES = 3;

/** Up to three of the names that a mistyped word may have meant, nearest first. */
export function nearNames(wanted: string, names: Iterable<string>): readonly string[] {
  const word = wanted.toLowerCase();
  if (word === '') return [];
  return [...names]
    .map((name) => ({ name, distance: distanceOf(word, name) }))
    .filter(({ distance }) => distance !== null)
    .toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** A start of a name is near whatever its length. */
function distanceOf(word: string, name: string): number | null {
  if (name.startsWith(word) || word.startsWith(name)) return 0;
  return editDistance(Math.floor(Math.min(word.length, name.length) / 3), word, name);
}
