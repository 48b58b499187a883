import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import type { ContentStore } from './content-store.ts';
import type { EntryState, UncoveredReason } from './entry-state.ts';
import { type RawPath, systemPath } from './raw-path.ts';
import limits from './uncovered.json' with { type: 'json' };

/** What stands at a path and what tells whether it is still the same. */
export interface ReadEntry {
  readonly state: EntryState;
  readonly stamp: Stamp;
}

/** Of a file as it was read: any change to it changes its `ctime`, unless it comes in the same tick of the kernel's clock. */
export interface Stamp {
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** 0 where the file was younger than that tick: such a stamp equals none. */
  readonly ctimeMs: number;
  readonly names: number;
}

const TICK_MS = 50;
const NOT_FOLLOWED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Null where nothing stands. A content goes to the store. Errors: of the system, other than absence. */
export function readEntry(path: RawPath, store: ContentStore, maxBytes = limits.maxFileBytes): ReadEntry | null {
  const stats = lstatOrNull(path);
  return stats === null ? null : entryOf(path, stats, { store, known: null, maxBytes });
}

interface ReadOptions {
  readonly store: ContentStore;
  /** What was read before. */
  readonly known: ReadEntry | null;
  readonly maxBytes?: number;
}

/** The same where it was looked at already; a file that is known to be the same is not read again. */
export function entryOf(path: RawPath, stats: Stats, { store, known, maxBytes = limits.maxFileBytes }: ReadOptions): ReadEntry {
  const stamp = stampOf(stats);
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { state: { kind: 'folder', mode }, stamp };
  if (stats.isSymbolicLink()) return { state: linkState(path, stamp), stamp };
  if (!stats.isFile()) return { state: uncovered('special', stamp), stamp };
  if (stats.size > maxBytes) return { state: uncovered('large', stamp), stamp };
  const old = known?.state.kind === 'file' ? known.state : null;
  if (old !== null && known !== null && isSameStamp(known.stamp, stamp)) return { state: { ...old, mode }, stamp };
  const content = contentOrNull(path, stats.size, maxBytes);
  if (content !== null) return { state: { kind: 'file', mode, size: content.length, hash: store.put(content) }, stamp };
  // Its mode keeps us out, perhaps since a moment ago: then nothing else of it has changed.
  const isOnlyShut = old !== null && known !== null && isSameStamp({ ...known.stamp, ctimeMs: 1 }, { ...stamp, ctimeMs: 1 });
  return { state: isOnlyShut ? { ...old, mode } : uncovered('unreadable', stamp), stamp };
}

export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.ctimeMs !== 0 && a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.size === b.size && a.inode === b.inode;
}

/** Null where nothing stands. Errors: of the system, where that cannot be told. */
export function lstatOrNull(path: RawPath): Stats | null {
  return lstatSync(systemPath(path), { throwIfNoEntry: false }) ?? null;
}

export function uncovered(why: UncoveredReason, { inode, size, mtimeMs }: Stamp): EntryState {
  return { kind: 'uncovered', why, mark: `${inode}:${size}:${mtimeMs}` };
}

export function stampOf({ ino, size, mtimeMs, ctimeMs, nlink }: Stats): Stamp {
  return { inode: ino, size, mtimeMs, ctimeMs: ctimeMs < Date.now() - TICK_MS ? ctimeMs : 0, names: nlink };
}

function linkState(path: RawPath, stamp: Stamp): EntryState {
  try {
    return { kind: 'link', target: readlinkSync(systemPath(path), { encoding: 'latin1' }) };
  } catch {
    return uncovered('unreadable', stamp);
  }
}

/** All of a file, however it was when it was looked at; null where it cannot be read, or has grown too large. */
function contentOrNull(path: RawPath, expectedSize: number, maxBytes: number): Uint8Array | null {
  let file: number;
  try {
    file = openSync(systemPath(path), NOT_FOLLOWED);
  } catch {
    return null;
  }
  try {
    if (!fstatSync(file).isFile()) return null;
    return readWhole(file, expectedSize, maxBytes);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, expectedSize: number, maxBytes: number): Uint8Array | null {
  // One byte more than expected shows whether it has grown.
  let bytes = Buffer.allocUnsafe(expectedSize + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, length);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length > maxBytes) return null;
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}
