import { isMixture } from '../files/in-place.ts';
import type { ContentStore } from './content-store.ts';
import { type EntryState, isSameState, type PathChange } from './entry-state.ts';
import type { RawPath } from './raw-path.ts';

/** What restores that were broken off were about to change: path by path, what stood there and what was to. */
export type BrokenOff = ReadonlyMap<RawPath, PathChange>;

/**
 * True where a restore that was killed can have left this at a path: what stood there, what was to stand there, or what stands there
 * for a moment in between.
 */
export function isLeftBy(change: PathChange, found: EntryState | null, store: ContentStore): boolean {
  return isSameState(found, change.before) || isSameState(found, change.after) || isBetween(change, found, store);
}

function isBetween({ before, after }: PathChange, found: EntryState | null, store: ContentStore): boolean {
  if (found === null) return before !== null && after !== null && isFolder(before) !== isFolder(after);
  if (found.kind === 'folder') return isOpened(found.mode, before, after);
  if (found.kind !== 'file' || before?.kind !== 'file' || after?.kind !== 'file') return false;
  return (found.mode === before.mode || found.mode === after.mode) && isHalfWritten(found, { before, after }, store);
}

/** A folder as a restore has it until its end: open to us, its mode still to be set. */
function isOpened(mode: number, before: EntryState | null, after: EntryState | null): boolean {
  if (before?.kind === 'folder') return mode === (before.mode | 0o700);
  return after?.kind === 'folder' && mode === 0o700;
}

type FileState = EntryState & { readonly kind: 'file' };

/** A file of several names is written as it stands, its mode last. */
function isHalfWritten(
  found: FileState,
  { before, after }: { readonly before: FileState; readonly after: FileState },
  store: ContentStore,
): boolean {
  if (found.hash === before.hash || found.hash === after.hash) return true;
  const [now, old, young] = [store.read(found.hash), store.read(before.hash), store.read(after.hash)];
  return now !== null && old !== null && young !== null && isMixture(now, old, young);
}

function isFolder(state: EntryState): boolean {
  return state.kind === 'folder';
}
