import { messageOf } from '../../core/errors.ts';
import type { ContentStore } from './content-store.ts';
import { type EntryState, isSameState } from './entry-state.ts';
import { type BrokenOff, isLeftBy } from './halfway.ts';
import { parentOf, type RawPath } from './raw-path.ts';
import { isReachedByLink } from './reached-by-link.ts';
import { lstatOrNull, readEntry, type Stamp } from './read-entry.ts';
import limits from './uncovered.json' with { type: 'json' };

/** A path that is to be as it was: only where it is still as `expected`. */
export interface Restore {
  readonly path: RawPath;
  readonly expected: EntryState | null;
  readonly target: EntryState | null;
}

/**
 * `same`: it is so already. `conflict`: it is neither as expected nor as it was, and stays. `uncovered`: it was never kept. `lost`: it is
 * not kept any more. `failed`: the system refused.
 */
export type RestoreResult = 'restored' | 'same' | 'conflict' | 'uncovered' | 'lost' | 'failed';

/** What is going to become of a path, and what has while it is carried out. */
export interface Planned {
  readonly restore: Restore;
  /** What stands there. */
  readonly current: EntryState | null;
  /** What stood there before a restore began that was broken off, or what stands there. */
  readonly before: EntryState | null;
  /** Null where nothing stands. */
  readonly stamp: Stamp | null;
  result: RestoreResult;
  detail: string;
}

export interface PlanOptions {
  readonly store: ContentStore;
  readonly brokenOff: BrokenOff;
}

export const LINK_IN_WAY = 'a link stands in its way';
const MAX_REMOVED_BYTES = 512 * 1024 ** 2;

/** Looks at each path, and changes nothing. Folders before what is in them: a path below what is no folder yet has to wait for that. */
export function planRestores(restores: readonly Restore[], options: PlanOptions): readonly Planned[] {
  const planned = new Map<RawPath, Planned>();
  for (const restore of restores.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    planned.set(restore.path, plan(restore, options, planned.get(parentOf(restore.path)) ?? null));
  return [...planned.values()];
}

function plan(restore: Restore, options: PlanOptions, folder: Planned | null): Planned {
  const { path } = restore;
  try {
    if (folder !== null && folder.current?.kind !== 'folder') return planAbsent(restore, options, folder);
    if (isReachedByLink(path)) return leave(restore, 'conflict', LINK_IN_WAY);
    const entry = readEntry(path, options.store, maxBytesOf(restore));
    return planFound(restore, options, { state: entry?.state ?? null, stamp: entry?.stamp ?? null });
  } catch (thrown) {
    return leave(restore, 'failed', messageOf(thrown));
  }
}

function leave(restore: Restore, result: RestoreResult, detail: string): Planned {
  return { restore, current: null, before: null, stamp: null, result, detail };
}

/** Below what is no folder, or none yet, nothing stands. */
function planAbsent(restore: Restore, options: PlanOptions, folder: Planned): Planned {
  if (restore.target !== null && folder.result !== 'restored') return leave(restore, 'conflict', 'its folder is not there');
  return planFound(restore, options, { state: null, stamp: null });
}

interface Found {
  readonly state: EntryState | null;
  readonly stamp: Stamp | null;
}

function planFound(restore: Restore, { store, brokenOff }: PlanOptions, { state, stamp }: Found): Planned {
  const { expected } = restore;
  const found = isShutOnly(restore, state) ? expected : state;
  const isAsExpected = isSameState(found, expected);
  const isHalfway = !isAsExpected && isLeftHalfway(restore, found, { store, brokenOff, names: stamp?.names ?? 1 });
  const current = isAsExpected ? wholeState(restore, found, store) : found;
  const before = isHalfway ? expected : current;
  return {
    restore,
    current,
    before,
    stamp,
    ...judge(restore, { current, store, isExpected: isAsExpected || isHalfway }),
  };
}

/** True where a restore that was broken off has left it so, on the way that this one takes or from its beginning. */
function isLeftHalfway(
  { path, expected }: Restore,
  found: EntryState | null,
  { store, brokenOff, names }: PlanOptions & { readonly names: number },
): boolean {
  const begun = brokenOff.get(path);
  if (begun === undefined) return false;
  const isFromStart = isSameState(begun.before, expected);
  if (!isFromStart && !isSameState(begun.after, expected)) return false;
  // Back to where it began is not on the way of one that goes on from its end.
  if (isSameState(found, begun.before)) return isFromStart;
  // A file of one name is put in place as a whole: another content is somebody's work.
  if (found?.kind === 'file' && names < 2) return isSameState(found, begun.after);
  return isLeftBy(begun, found, store);
}

/** A file that keeps us out by the mode that a call gave it. Only its mode is going to be changed, so its content need not be known. */
function isShutOnly({ path, expected, target }: Restore, current: EntryState | null): boolean {
  if (current?.kind !== 'uncovered' || current.why !== 'unreadable') return false;
  if (expected?.kind !== 'file' || target?.kind !== 'file' || expected.hash !== target.hash) return false;
  const stats = lstatOrNull(path);
  return stats !== null && stats.isFile() && (stats.mode & 0o7777) === expected.mode && stats.size === expected.size;
}

/** What was taken into the store however large is looked at so again. */
function maxBytesOf({ expected, target }: Restore): number {
  const isLarge = [expected, target].some((state) => state?.kind === 'file' && state.size > limits.maxFileBytes);
  return isLarge ? MAX_REMOVED_BYTES : limits.maxFileBytes;
}

/**
 * What a call left there is taken into the store however large, so that a redo finds it: but for that it was too large to be kept as it
 * was before a call.
 */
function wholeState({ path, target }: Restore, current: EntryState | null, store: ContentStore): EntryState | null {
  if (current?.kind !== 'uncovered' || current.why !== 'large' || target?.kind === 'uncovered') return current;
  return readEntry(path, store, MAX_REMOVED_BYTES)?.state ?? null;
}

function judge(
  { expected, target }: Restore,
  {
    current,
    store,
    isExpected,
  }: { readonly current: EntryState | null; readonly store: ContentStore; readonly isExpected: boolean },
): Pick<Planned, 'result' | 'detail'> {
  if (isSameState(current, target)) return { result: 'same', detail: '' };
  if (target?.kind === 'uncovered' || (expected?.kind === 'uncovered' && expected.why !== 'large'))
    return { result: 'uncovered', detail: '' };
  if (!isExpected) return { result: 'conflict', detail: 'it has changed since' };
  if (current?.kind === 'uncovered') return { result: 'uncovered', detail: '' };
  if (target?.kind === 'file' && !store.has(target.hash)) return { result: 'lost', detail: 'its content is not kept any more' };
  return { result: 'restored', detail: '' };
}
