import { constants, type Stats } from 'node:fs';
import { access, copyFile, type FileHandle, link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import type { PlannedWrite, WriteJournal } from './write-journal.ts';
import { randomName } from '../random-name.ts';

/** What is to become of one file. `target` is a real path. */
export interface FileWrite {
  readonly target: string;
  /** Null deletes. */
  readonly pieces: readonly Uint8Array[] | null;
  /** A real path whose mode and owner a new file takes over, as when a file moves. */
  readonly like?: string;
}

interface Staged extends PlannedWrite {
  readonly write: FileWrite;
  readonly existing: Stats | null;
}

/**
 * Writes files so that at any crash, kill or full disk each is the old one or, all of them, the new ones. Mode and owner stay; a new file
 * is 0644 and missing folders are 0755, both under the umask. `recheck` runs last before anything becomes visible and may throw.
 * Order: journal, temp files 0600 beside the targets, check the size, mode and owner, fsync, recheck, commit, rename, fsync the folders.
 */
export async function commitWrites(
  writes: readonly FileWrite[],
  journal: WriteJournal | null,
  recheck: () => Promise<void>,
): Promise<void> {
  const staged = await Promise.all(writes.map((write) => plan(write, writes.length > 1)));
  const entry = await journal?.begin(staged.map(({ target, temp, backup, isInPlace }) => ({ target, temp, backup, isInPlace })));
  try {
    for (const file of staged) await stage(file);
    await recheck();
    // One rename is its own commit.
    if (staged.length > 1 || staged.some(({ isInPlace }) => isInPlace)) await entry?.commit();
    await publishAll(staged);
    for (const folder of new Set(staged.map(({ target }) => dirname(target)))) await syncFolder(folder);
  } finally {
    for (const { temp, backup } of staged)
      for (const left of [temp, backup]) if (left !== null) await unlink(left).catch(() => undefined);
    await entry?.close();
  }
}

async function plan(write: FileWrite, isOneOfSeveral: boolean): Promise<Staged> {
  const { target } = write;
  const existing = await statOrNull(target);
  if (existing !== null) await access(target, constants.W_OK);
  const beside = (ending: string): string => join(dirname(target), `.wield-${randomName(6)}.${ending}`);
  return {
    write,
    existing,
    target,
    temp: write.pieces === null ? null : beside('tmp'),
    backup: isOneOfSeveral && existing !== null ? beside('old') : null,
    // A file with other names is written in place, so that they see the change too, and so is one whose owner would be lost.
    isInPlace: write.pieces !== null && existing !== null && (existing.nlink > 1 || !canMakeLike(existing)),
  };
}

/** True where a new file can be given this owner and group. Source: chown(2). */
function canMakeLike({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.() ?? 0;
  return user === 0 || (uid === user && [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid));
}

async function stage({ write, existing, temp, backup, isInPlace }: Staged): Promise<void> {
  if (temp !== null && write.pieces !== null) {
    await mkdir(dirname(temp), { recursive: true, mode: 0o755 });
    const owner = existing ?? (write.like === undefined ? null : await statOrNull(write.like));
    await writeTemp(temp, write.pieces, isInPlace ? 'private' : owner);
  }
  if (backup === null) return;
  // A second name costs nothing and holds the old content; what is written in place needs a copy.
  if (isInPlace) await copyFile(write.target, backup, constants.COPYFILE_EXCL);
  else await link(write.target, backup).catch(() => copyFile(write.target, backup, constants.COPYFILE_EXCL));
}

async function writeTemp(temp: string, pieces: readonly Uint8Array[], owner: Stats | 'private' | null): Promise<void> {
  const file = await open(temp, 'wx', 0o600);
  try {
    await writeWhole(file, pieces);
    if (owner === null) await file.chmod(0o644 & ~process.umask());
    else if (owner !== 'private') await takeOver(file, owner);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeWhole(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let end = 0;
  for (const piece of pieces) {
    await writeAt(file, piece, end);
    end += piece.length;
  }
  const { size } = await file.stat();
  if (size !== end) throw Object.assign(new Error(`${size} of ${end} bytes reached the disk`), { code: 'ENOSPC' });
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw Object.assign(new Error('the disk took no more bytes'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
}

async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Owner first: chown clears the set-user-ID bits that chmod then restores.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & 0o7777);
}

async function publishAll(staged: readonly Staged[]): Promise<void> {
  const published: Staged[] = [];
  try {
    for (const file of staged) {
      published.push(file);
      await publish(file);
    }
  } catch (thrown) {
    for (const file of published.toReversed()) await takeBack(file);
    throw thrown;
  }
}

async function publish({ write, target, temp, isInPlace }: Staged): Promise<void> {
  if (temp === null || write.pieces === null) await unlink(target);
  else if (isInPlace) await writeInPlace(target, Buffer.concat(write.pieces));
  else await rename(temp, target);
}

async function takeBack({ existing, target, backup, isInPlace }: Staged): Promise<void> {
  if (backup !== null && isInPlace) await copyFile(backup, target);
  else if (backup !== null) await rename(backup, target);
  else if (existing === null) await unlink(target).catch(() => undefined);
}

async function writeInPlace(target: string, bytes: Uint8Array): Promise<void> {
  const file = await open(target, 'r+');
  try {
    const { size } = await file.stat();
    await growInPlace(file, bytes, size);
    await file.truncate(bytes.length);
    await writeWhole(file, [bytes]);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A full disk shows while a file grows, before a byte of its old text is gone; then it is cut back to that. */
async function growInPlace(file: FileHandle, bytes: Uint8Array, oldSize: number): Promise<void> {
  try {
    await writeAt(file, bytes.subarray(oldSize), oldSize);
  } catch (thrown) {
    await file.truncate(oldSize);
    throw thrown;
  }
}

/** As far as it can be done: the write is visible already, and some folders may not be opened, and some file systems sync none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}
