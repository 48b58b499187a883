import { readFile, rename, stat, unlink } from 'node:fs/promises';
import { systemCodeOf } from '../../core/errors.ts';
import { shortHash } from '../../core/hash.ts';
import type { Version } from '../../core/ports.ts';
import { isMixture, restoreInPlace, writeInPlace } from './in-place.ts';
import { versionAt } from './regular-file.ts';

/** One file of a write: what stands beside it while it is under way. Paths are absolute and real. */
export interface PlannedWrite {
  readonly target: string;
  /** The new content; null deletes. */
  readonly temp: string | null;
  /** The old content, for taking the write back. */
  readonly backup: string | null;
  /** Written into the old file, which has other names, and not put in its place. */
  readonly isInPlace: boolean;
}

/** One that is about to become visible: what its target was and is to be, so that anything else is known for somebody's newer work. */
export interface CommittedWrite extends PlannedWrite {
  readonly old: Version | 'absent' | 'other';
  readonly new: Version | 'absent';
  /** Of the old file, which a deletion is meant for. */
  readonly inode: number | null;
}

/**
 * Finishes what is not finished. A target that somebody has changed since stays as it is, and then nothing is deleted either: the other
 * half of a move may be missing. May be ended at any step and called again. Errors: of the system; then all that is needed is still there.
 */
export async function finishAll(writes: readonly CommittedWrite[]): Promise<void> {
  let isWhole = true;
  for (const write of writes) if (write.temp !== null) isWhole = (await finish(write, write.temp)) && isWhole;
  if (isWhole) for (const write of writes) if (write.temp === null) await finishDeletion(write);
}

/** Puts back what a target was, where it is what we made of it. May be ended at any step and called again. Errors: like `finishAll`. */
export async function takeBack(write: CommittedWrite): Promise<void> {
  const { target, backup, isInPlace } = write;
  const current = await versionAt(target);
  if (current === write.old) return;
  if (isInPlace) return restoreMixture(write);
  if (current !== write.new) return;
  if (backup !== null) await ifThere(rename(backup, target));
  else if (write.old === 'absent') await ifThere(unlink(target));
}

/** Removes what stands beside the targets; for when each of these is whole. Temp files first: one that is gone means a finished write. */
export async function removeBeside(writes: readonly PlannedWrite[]): Promise<void> {
  const left = [...writes.map(({ temp }) => temp), ...writes.map(({ backup }) => backup)];
  for (const path of left) if (path !== null) await unlink(path).catch(() => undefined);
}

/** False where the target is somebody's newer work. */
async function finish(write: CommittedWrite, temp: string): Promise<boolean> {
  const { target, isInPlace } = write;
  if ((await versionAt(temp)) === 'absent') return true;
  const current = await versionAt(target);
  if (current === write.new) return true;
  if (isInPlace) return finishInPlace(write, temp, current);
  if (current !== write.old) return false;
  await ifThere(rename(temp, target));
  return true;
}

async function finishInPlace(write: CommittedWrite, temp: string, current: string): Promise<boolean> {
  if (current === 'absent' || current === 'other') return false;
  const contents = await contentsOf(write);
  if (current !== write.old && contents === null) return false;
  try {
    await writeInPlace(write.target, contents?.newBytes ?? (await readFile(temp)));
  } catch (thrown) {
    // Nobody is to see a half of it until the next start.
    if (contents !== null) await restoreInPlace(write.target, contents.oldBytes);
    throw thrown;
  }
  return true;
}

async function restoreMixture(write: CommittedWrite): Promise<void> {
  const contents = await contentsOf(write);
  if (contents !== null) await restoreInPlace(write.target, contents.oldBytes);
}

/** Null where the target holds what our writing cannot have left, or where that cannot be told. */
async function contentsOf({ target, temp, backup, old }: CommittedWrite): Promise<{
  readonly oldBytes: Uint8Array;
  readonly newBytes: Uint8Array;
} | null> {
  if (temp === null || backup === null || (await versionAt(target)) === 'other') return null;
  const [current, oldBytes, newBytes] = await Promise.all([target, backup, temp].map((path) => ifThere(readFile(path))));
  if (current === undefined || oldBytes === undefined || newBytes === undefined || shortHash(oldBytes) !== old) return null;
  return isMixture(current, oldBytes, newBytes) ? { oldBytes, newBytes } : null;
}

/** A file of the same content that came after ours was deleted is another one; without the backup ours was deleted long ago. */
async function finishDeletion({ target, backup, old, inode }: CommittedWrite): Promise<void> {
  if (backup === null || (await versionAt(backup)) === 'absent' || (await versionAt(target)) !== old) return;
  if ((await stat(target)).ino === inode) await unlink(target);
}

async function ifThere<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
