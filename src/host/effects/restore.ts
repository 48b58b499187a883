import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { messageOf } from '../../core/errors.ts';
import { writeInPlace } from '../files/in-place.ts';
import type { ContentStore } from './content-store.ts';
import type { PathChange } from './entry-state.ts';
import type { BrokenOff } from './halfway.ts';
import { type RawPath, rawPath, shownPath, systemPath } from './raw-path.ts';
import { isReachedByLink } from './reached-by-link.ts';
import { LINK_IN_WAY, type Planned, planRestores, type Restore, type RestoreResult } from './restore-plan.ts';
import { removeTempOf, tempBeside } from './restore-temp.ts';

export interface RestoreOutcome extends PathChange {
  readonly result: RestoreResult;
  /** What a person should know of it, or empty. */
  readonly detail: string;
}

export interface RestoreOptions {
  readonly store: ContentStore;
  /** Says what would become of each path, and changes nothing. */
  readonly isDryRun: boolean;
  /** What it may find half done: that is no work of others, and what was done of it by then counts as done now. */
  readonly brokenOff?: BrokenOff;
  /** Called with all that is going to be changed before any of it is. */
  readonly onPlanned?: (planned: readonly RestoreOutcome[]) => void;
}

/** Up to so many files each is made durable by itself; their contents are in the store in any case. */
const MAX_SYNCED = 20;
const PAUSE_EVERY = 100;

/** Puts back what can be put back, each file in one step and through no link. What cannot be holds up nothing else. */
export async function restoreAll(restores: readonly Restore[], options: RestoreOptions): Promise<RestoreOutcome[]> {
  const { store, isDryRun, brokenOff = new Map() } = options;
  if (!isDryRun) for (const path of brokenOff.keys()) removeTempOf(path);
  const planned = planRestores(restores, { store, brokenOff });
  const possible = planned.filter(({ result }) => result === 'restored');
  if (!isDryRun) {
    // What is going to be removed has to be kept by then.
    store.flush();
    options.onPlanned?.(planned.map(outcomeOf));
    await carryOut(possible, store);
  }
  return planned.map(outcomeOf);
}

function outcomeOf({ restore: { path, target }, before, current, result, detail }: Planned): RestoreOutcome {
  return { path, before, after: result === 'restored' ? target : current, result, detail };
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
  removeTempOf(path);
  try {
    make(temp);
    renameSync(systemPath(temp), place);
  } catch (thrown) {
    removeTempOf(path);
    throw thrown;
  }
}

function writeFile(
  path: RawPath,
  { content, mode, isSynced }: { readonly content: Uint8Array; readonly mode: number; readonly isSynced: boolean },
): void {
  const file = openSync(systemPath(path), 'wx', 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
    // By its handle: the name may be another thing by now.
    fchmodSync(file, mode);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
