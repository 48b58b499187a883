import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomName } from '../random-name.ts';
import type { ContentStore } from './content-store.ts';
import type { RawPath } from './raw-path.ts';
import type { ReadEntry } from './read-entry.ts';

/** Path, mode, size, hash, and what else is in the stamp of a file. */
type Row = readonly [RawPath, number, number, string, number, number, number];

/** The files as they were last known, so that a new session reads only what has changed since. Empty where there is none, or a damaged one. */
export function readTreeIndex(path: string, store: ContentStore): Map<RawPath, ReadEntry> {
  const rows = rowsIn(path).filter(([, , , hash]) => store.has(hash));
  return new Map(
    rows.map(([file, mode, size, hash, inode, mtimeMs, ctimeMs]) => [
      file,
      { state: { kind: 'file', mode, size, hash }, stamp: { inode, size, mtimeMs, ctimeMs, names: 1 } },
    ]),
  );
}

/** Where the index of a project stands in its folder. */
export function indexPathIn(folder: string): string {
  return join(folder, 'tree.json');
}

/** The contents that an index refers to. */
export function indexedHashes(path: string): ReadonlySet<string> {
  return new Set(rowsIn(path).map(([, , , hash]) => hash));
}

export function writeTreeIndex(path: string, entries: Iterable<readonly [RawPath, ReadEntry]>): void {
  const rows: Row[] = [];
  for (const [file, { state, stamp }] of entries)
    if (state.kind === 'file') rows.push([file, state.mode, state.size, state.hash, stamp.inode, stamp.mtimeMs, stamp.ctimeMs]);
  const temp = `${path}.${randomName()}`;
  writeFileSync(temp, JSON.stringify({ version: 1, rows }), { mode: 0o600 });
  renameSync(temp, path);
}

function rowsIn(path: string): readonly Row[] {
  try {
    const { version, rows } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown; rows?: unknown };
    return version === 1 && Array.isArray(rows) ? rows.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(row: unknown): row is Row {
  return (
    Array.isArray(row) &&
    row.length === 7 &&
    row.every((value, at) => typeof value === (at === 0 || at === 3 ? 'string' : 'number'))
  );
}
