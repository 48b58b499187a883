import { constants, type Stats } from 'node:fs';
import { copyFile, link, mkdir, open, rmdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import { assertSize, writeAt } from './write-bytes.ts';

/** A folder that was made for a file, and the topmost of those that were missing above it. */
export interface MadeFolder {
  readonly folder: string;
  readonly topmost: string;
}

/** Makes the missing folders of a file, 0755 under the umask. Null where none was missing. */
export async function makeFolder(folder: string): Promise<MadeFolder | null> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o755 });
  return topmost === undefined ? null : { folder, topmost };
}

/** Removes what was made, as far as nothing else stands in it by now. */
export async function removeMadeFolder({ folder, topmost }: MadeFolder): Promise<void> {
  try {
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) await rmdir(path);
  } catch {
    // It is used by somebody else, or gone.
  }
}

/** Writes a new file and makes it durable. It takes over mode and owner, or is 0644 under the umask, or nobody else's to read. */
export async function writeTemp(temp: string, pieces: readonly Uint8Array[], owner: Stats | 'private' | null): Promise<void> {
  const file = await open(temp, 'wx', 0o600);
  try {
    await writePieces(file, pieces);
    if (owner === null) await file.chmod(0o644 & ~process.umask());
    else if (owner !== 'private') await takeOver(file, owner);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Keeps the old content under a second name, which costs nothing; what is written in place needs a copy, which is made durable. */
export async function makeBackup(target: string, backup: string, isInPlace: boolean): Promise<void> {
  const copy = (): Promise<void> => copyFile(target, backup, constants.COPYFILE_EXCL);
  if (!isInPlace) return link(target, backup).catch(copy);
  await copy();
  const file = await open(backup, 'r');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** True where a new file can be given this owner and group. Source: chown(2). */
export function canMakeLike({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.() ?? 0;
  return user === 0 || (uid === user && [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid));
}

/** Null where nothing is there. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

async function writePieces(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let end = 0;
  for (const piece of pieces) {
    await writeAt(file, piece, end);
    end += piece.length;
  }
  await assertSize(file, end);
}

async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // Owner first: chown clears the set-user-ID bits that chmod then restores.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & 0o7777);
}
