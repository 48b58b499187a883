import { basename, dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import type { FileAccess } from '../core/ports.ts';

const MAX_NAMES = 3;

/** Up to three paths in the same folder whose names are like this one's, nearest first; null where there is no such folder. */
export async function nearNames(files: FileAccess, path: string): Promise<readonly string[] | null> {
  const folder = dirname(path);
  const names = await files.list(folder).catch((thrown: unknown) => (systemCodeOf(thrown) === 'ENOENT' ? null : []));
  if (names === null) return null;
  const wanted = basename(path);
  return names
    .map((name) => ({ name, distance: distanceUpTo(mostEdits(wanted, name), fold(wanted), fold(name)) }))
    .filter(({ distance }) => distance !== null)
    .toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => join(folder, name));
}

/** Composed and decomposed letters, letter case, and the many kinds of space compare equal. */
function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function mostEdits(wanted: string, name: string): number {
  return Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3));
}

/** Levenshtein distance, one row at a time; null where it is more than `max`. */
function distanceUpTo(max: number, a: string, b: string): number | null {
  if (Math.abs(a.length - b.length) > max) return null;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  const distance = row[b.length] ?? 0;
  return distance <= max ? distance : null;
}
