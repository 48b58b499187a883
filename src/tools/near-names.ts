import { basename, dirname, join } from 'node:path';
import { editDistance } from '../core/edit-distance.ts';
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
    .map((name) => ({ name, distance: editDistance(mostEdits(wanted, name), fold(wanted), fold(name)) }))
    .filter(({ distance }) => distance !== null)
    .toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => join(folder, name));
}

/** A path in the same folder whose name looks like this one's and is written otherwise: other kinds of space, letters in one piece or two. */
export async function twinOf(files: FileAccess, path: string): Promise<string | null> {
  const folder = dirname(path);
  const names = await files.list(folder).catch(() => []);
  const twin = names.find((name) => looksLike(name, basename(path)));
  return twin === undefined ? null : join(folder, twin);
}

/** Where two names look the same and are not: the characters in which they differ; else null. */
export function hiddenDifference(a: string, b: string): string | null {
  if (!looksLike(a, b)) return null;
  const odd = [...a].filter((character) => !b.includes(character)).concat([...b].filter((character) => !a.includes(character)));
  const codes = odd.filter((character) => character > '\u007f').map(codePointName);
  return codes.length === 0 ? 'their characters' : [...new Set(codes)].join(', ');
}

function looksLike(a: string, b: string): boolean {
  return a !== b && shape(a) === shape(b);
}

function shape(name: string): string {
  return name.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Composed and decomposed letters, letter case, and the many kinds of space compare equal. */
function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function mostEdits(wanted: string, name: string): number {
  return Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3));
}
