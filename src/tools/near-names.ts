import { basename, dirname, join } from 'node:path';
import type { FileAccess } from '../core/ports.ts';

const MAX_NAMES = 3;

/** Up to three paths in the same folder whose names are like this one's, nearest first. */
export async function nearNames(files: FileAccess, path: string): Promise<string[]> {
  const folder = dirname(path);
  const names = await files.list(folder).catch(() => []);
  const wanted = basename(path);
  return names
    .map((name) => ({ name, distance: distanceBetween(fold(wanted), fold(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3)))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => join(folder, name));
}

/** Composed and decomposed letters, letter case, and the many kinds of space compare equal. */
function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Levenshtein distance, one row at a time. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
