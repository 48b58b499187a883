import type { ContentStore } from './content-store.ts';
import type { EntryState, PathChange } from './entry-state.ts';
import { isSameState } from './entry-state.ts';
import { parentOf, type RawPath } from './raw-path.ts';
import { lstatOrNull, readEntry } from './read-entry.ts';

/** What stands at paths that a call is going to write, and at the folders that it would have to make for them. */
export type Observed = ReadonlyMap<RawPath, EntryState | null>;

/** Contents go to the store. Errors: of the system. */
export function observePaths(paths: readonly RawPath[], store: ContentStore): Observed {
  return new Map(paths.flatMap((path) => [...missingParents(path), path]).map((path) => [path, stateOf(path, store)]));
}

/** What is different by now. Errors: of the system. */
export function changesSince(observed: Observed, store: ContentStore): PathChange[] {
  return [...observed]
    .map(([path, before]) => ({ path, before, after: stateOf(path, store) }))
    .filter(({ before, after }) => !isSameState(before, after));
}

function stateOf(path: RawPath, store: ContentStore): EntryState | null {
  return readEntry(path, store)?.state ?? null;
}

function missingParents(path: RawPath): RawPath[] {
  const parent = parentOf(path);
  return parent === '/' || lstatOrNull(parent) !== null ? [] : [...missingParents(parent), parent];
}
