import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { messageOf } from '../../core/errors.ts';
import { writeInPlace } from '../files/in-place.ts';
import type { ContentStore } from './content-store.ts';
import { type EntryState, isSameState, type PathChange } from './entry-state.ts';
import { parentOf, type RawPath, rawPath, shownPath, systemPath } from './raw-path.ts';
import { lstatOrNull, readEntry, type Stamp } from './read-entry.ts';
import { removeTempsBeside, tempBeside } from './restore-temp.ts';

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

export interface RestoreOutcome extends PathChange {
  readonly result: RestoreResult;
  /** What a person should know of it, or empty. */
  readonly detail: string;
}

export interface RestoreOptions {
  readonly store: ContentStore;
  /** Says what would become of each path, and changes nothing. */
  readonly isDryRun: boolean;
  /** True where the same was begun before and broken off: the folders that it had made or opened by then are no work of others. */
  readonly isResumed?: boolean;
  /** Called with all that is going to be changed before any of it is. */
  readonly onPlanned?: (planned: readonly RestoreOutcome[]) => void;
}

/** Up to so many files each is made durable by itself; their contents are in the store in any case. */
const MAX_SYNCED = 20;
const MAX_REMOVED_BYTES = 512 * 1024 ** 2;
const PAUSE_EVERY = 100;

/** Puts back what can be put back, each file in one step and through no link. What cannot be holds up nothing else. */
export async function restoreAll(restores: readonly Restore[], options: RestoreOptions): Promise<RestoreOutcome[]> {
  if (options.isResumed === true && !options.isDryRun) removeTempsBeside(restores.map(({ path }) => path));
  const planned = planAll(restores, options);
  const possible = planned.filter(({ result }) => result === 'restored');
  if (!options.isDryRun) {
    options.onPlanned?.(planned.map(outcomeOf));
    await carryOut(possible, options.store);
  }
  return planned.map(outcomeOf);
}

function outcomeOf({ restore, current, result, detail }: Planned): RestoreOutcome {
  return { path: restore.path, before: current, after: result === 'restored' ? restore.target : current, result, detail };
}

interface Planned {
  readonly restore: Restore;
  readonly current: EntryState | null;
  /** Null where nothing stands. */
  readonly stamp: Stamp | null;
  result: RestoreResult;
  detail: string;
}

/** Folders before what is in them: a path below what is no folder yet has to wait for that. */
function planAll(restores: readonly Restore[], options: RestoreOptions): readonly Planned[] {
  const planned = new Map<RawPath, Planned>();
  for (const restore of restores.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    planned.set(restore.path, plan(restore, options, planned.get(parentOf(restore.path)) ?? null));
  return [...planned.values()];
}

function plan(restore: Restore, { store, isResumed = false }: RestoreOptions, folder: Planned | null): Planned {
  const { expected, target, path } = restore;
  const nothing = { restore, current: null, stamp: null } as const;
  try {
    if (folder !== null && folder.current?.kind !== 'folder') {
      if (folder.result !== 'restored') return { ...nothing, result: 'conflict', detail: 'its folder is not there' };
      return { ...nothing, ...judge(null, { expected, target, isExpected: expected === null, store }) };
    }
    if (isReachedByLink(path)) return { ...nothing, result: 'conflict', detail: LINK_IN_WAY };
    const entry = readEntry(path, store);
    const found = isShutOnly(restore, entry?.state ?? null) ? expected : (entry?.state ?? null);
    const isExpected = isSameState(found, expected) || (isResumed && isLeftHalfway(restore, found));
    const current = isExpected ? wholeState(restore, found, store) : found;
    return { restore, current, stamp: entry?.stamp ?? null, ...judge(current, { expected, target, isExpected, store }) };
  } catch (thrown) {
    return { ...nothing, result: 'failed', detail: messageOf(thrown) };
  }
}

/** A folder as a restore has it until its end: open to us, its mode still to be set. */
function isLeftHalfway({ expected, target }: Restore, found: EntryState | null): boolean {
  if (found?.kind !== 'folder') return false;
  if (expected?.kind === 'folder') return found.mode === (expected.mode | 0o700);
  return target?.kind === 'folder' && found.mode === 0o700;
}

/** A file that keeps us out by the mode that a call gave it. Only its mode is going to be changed, so its content need not be known. */
function isShutOnly({ path, expected, target }: Restore, current: EntryState | null): boolean {
  if (current?.kind !== 'uncovered' || current.why !== 'unreadable') return false;
  if (expected?.kind !== 'file' || target?.kind !== 'file' || expected.hash !== target.hash) return false;
  const stats = lstatOrNull(path);
  return stats !== null && stats.isFile() && (stats.mode & 0o7777) === expected.mode && stats.size === expected.size;
}

/**
 * What a call left there is taken into the store however large, so that a redo finds it: but for that it was too large to be kept as it
 * was before a call.
 */
function wholeState({ path, target }: Restore, current: EntryState | null, store: ContentStore): EntryState | null {
  if (current?.kind !== 'uncovered' || current.why !== 'large' || target?.kind === 'uncovered') return current;
  return readEntry(path, store, MAX_REMOVED_BYTES)?.state ?? null;
}

const LINK_IN_WAY = 'a link stands in its way';

function judge(
  current: EntryState | null,
  { expected, target, isExpected, store }: Omit<Restore, 'path'> & { readonly isExpected: boolean; readonly store: ContentStore },
): Pick<Planned, 'result' | 'detail'> {
  if (isSameState(current, target)) return { result: 'same', detail: '' };
  if (target?.kind === 'uncovered' || (expected?.kind === 'uncovered' && expected.why !== 'large'))
    return { result: 'uncovered', detail: '' };
  if (!isExpected) return { result: 'conflict', detail: 'it has changed since' };
  if (current?.kind === 'uncovered') return { result: 'uncovered', detail: '' };
  if (target?.kind === 'file' && !store.has(target.hash)) return { result: 'lost', detail: 'its content is not kept any more' };
  return { result: 'restored', detail: '' };
}

/** True where the way to a path is not the one that was recorded. */
function isReachedByLink(path: RawPath): boolean {
  try {
    return realpathSync(systemPath(parentOf(path)), { encoding: 'latin1' }) !== parentOf(path);
  } catch {
    // Where there is no folder nothing can be written.
    return false;
  }
}

/** Removals before what takes their place, inner ones first; folders before what goes into them; and their modes last. */
async function carryOut(all: readonly Planned[], store: ContentStore): Promise<void> {
  const outerFirst = all.toSorted((a, b) => (a.restore.path < b.restore.path ? -1 : 1));
  const innerFirst = outerFirst.toReversed();
  const isSynced = all.length <= MAX_SYNCED;
  await each(outerFirst, openFolder);
  await each(innerFirst, removeOld);
  await each(outerFirst, makeFolder);
  const shared = sharedInodes(outerFirst);
  await each(outerFirst, (item) => putContent(item, { store, shared, isSynced }));
  await each(innerFirst, setFolderMode);
}

/** Files all of whose names are to hold the same again: they can be written as they are, and stay one file. */
function sharedInodes(items: readonly Planned[]): ReadonlySet<number> {
  const targets = new Map<number, string[]>();
  for (const { restore, stamp } of items)
    if (stamp !== null && stamp.names > 1 && restore.target?.kind === 'file')
      targets.set(stamp.inode, [...(targets.get(stamp.inode) ?? []), restore.target.hash]);
  const shared = items.flatMap(({ stamp }) => {
    const hashes = targets.get(stamp?.inode ?? -1) ?? [];
    return stamp !== null && hashes.length === stamp.names && new Set(hashes).size === 1 ? [stamp.inode] : [];
  });
  return new Set(shared);
}

async function each(items: readonly Planned[], step: (item: Planned) => void | Promise<void>): Promise<void> {
  let count = 0;
  for (const item of items) {
    if (item.result !== 'restored') continue;
    try {
      await step(item);
    } catch (thrown) {
      item.result = 'failed';
      item.detail = messageOf(thrown);
    }
    if (++count % PAUSE_EVERY === 0) await new Promise(setImmediate);
  }
}

/** Lets us into a folder that is shut. */
function openFolder({ restore, current }: Planned): void {
  if (current?.kind === 'folder' && (current.mode & 0o700) !== 0o700) chmodSync(placeOf(restore.path), current.mode | 0o700);
}

function removeOld(item: Planned): void {
  const { restore, current } = item;
  if (current === null || (restore.target !== null && (current.kind === 'folder') === (restore.target.kind === 'folder'))) return;
  if (current.kind !== 'folder') return unlinkSync(placeOf(restore.path));
  try {
    rmdirSync(placeOf(restore.path));
  } catch {
    item.result = 'conflict';
    item.detail = 'it holds what was made since';
    chmodSync(placeOf(restore.path), current.mode);
  }
}

function makeFolder({ restore: { path, target }, current }: Planned): void {
  if (target?.kind === 'folder' && current?.kind !== 'folder') mkdirSync(placeOf(path), 0o700);
}

async function putContent(
  { restore: { path, target }, current, stamp }: Planned,
  { store, shared, isSynced }: { readonly store: ContentStore; readonly shared: ReadonlySet<number>; readonly isSynced: boolean },
): Promise<void> {
  if (target?.kind === 'link') return replaceBy(path, (temp) => symlinkSync(systemPath(target.target), systemPath(temp)));
  if (target?.kind !== 'file') return;
  if (current?.kind === 'file' && current.hash === target.hash) return chmodSync(placeOf(path), target.mode);
  const content = store.read(target.hash);
  if (content === null) throw new Error('its content is damaged in the store');
  // A name that is no text cannot be opened by the writer of such files.
  if (stamp !== null && shared.has(stamp.inode) && rawPath(shownPath(path)) === path) {
    const place = placeOf(path);
    await writeInPlace(shownPath(path), content);
    return chmodSync(place, target.mode);
  }
  replaceBy(path, (temp) => writeFile(temp, { content, mode: target.mode, isSynced }));
}

function setFolderMode({ restore: { path, target } }: Planned): void {
  if (target?.kind === 'folder') chmodSync(placeOf(path), target.mode);
}

/** The path of a thing that is about to be changed. Errors: where a link has come to stand in its way. */
function placeOf(path: RawPath): string | Buffer {
  if (isReachedByLink(path)) throw new Error(LINK_IN_WAY);
  return systemPath(path);
}

function replaceBy(path: RawPath, make: (temp: RawPath) => void): void {
  const place = placeOf(path);
  const temp = tempBeside(path);
  try {
    make(temp);
    renameSync(systemPath(temp), place);
  } catch (thrown) {
    removeIfThere(temp);
    throw thrown;
  }
}

function removeIfThere(path: RawPath): void {
  if (lstatSync(systemPath(path), { throwIfNoEntry: false }) !== undefined) unlinkSync(systemPath(path));
}

function writeFile(
  path: RawPath,
  { content, mode, isSynced }: { readonly content: Uint8Array; readonly mode: number; readonly isSynced: boolean },
): void {
  const file = openSync(systemPath(path), 'wx', 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(systemPath(path), mode);
}
