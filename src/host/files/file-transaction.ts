import { constants, type Stats } from 'node:fs';
import { access, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { hashOfPieces } from '../../core/hash.ts';
import { FileConflict, type Version } from '../../core/ports.ts';
import { randomName } from '../random-name.ts';
import { writeInPlace } from './in-place.ts';
import { type CommittedWrite, type PlannedWrite, removeBeside, takeBack } from './planned-write.ts';
import { versionAt } from './regular-file.ts';
import { canMakeLike, type MadeFolder, makeBackup, makeFolder, removeMadeFolder, statOrNull, writeTemp } from './staging.ts';
import { type JournalEntry, NO_ENTRY, type WriteJournal } from './write-journal.ts';

/** What is to become of one file. `target` is the real path of `path`. */
export interface FileWrite {
  readonly path: string;
  readonly target: string;
  /** Null deletes. */
  readonly pieces: readonly Uint8Array[] | null;
  readonly expect: Version | 'absent' | 'any';
  /** A real path whose mode and owner a new file takes over, as when a file moves. */
  readonly like?: string;
}

/** A write failed in the middle of a file, and its old content could not be put back either. It has no system code: the file is not whole. */
export class HalfWritten extends Error {
  constructor(target: string, backup: string | null, cause: unknown) {
    const kept = backup === null ? 'none was kept' : `it is kept in ${backup}, and the next start tries again`;
    super(
      `${target} is only half written, and its old content could not be put back (${messageOf(cause)}): ${kept}. Tell the person`,
      {
        cause,
      },
    );
    this.name = 'HalfWritten';
  }
}

interface Staged extends PlannedWrite {
  readonly write: FileWrite;
  readonly existing: Stats | null;
}

type Committed = Staged & CommittedWrite;

/**
 * Writes files so that at any crash, kill or full disk each is the old one or, all of them, the new ones. Mode and owner stay; a new file
 * is 0644 and missing folders are 0755, both under the umask. Order: journal, temp files 0600 beside the targets, check the size, mode and
 * owner, fsync, lock, backups, compare with what is expected, commit, rename, unlock, fsync the folders.
 * Errors: FileConflict, PathBusy, JournalUnwritable, of the system: every file is as it was. HalfWritten: one is not.
 */
export async function commitWrites(writes: readonly FileWrite[], journal: WriteJournal | null): Promise<void> {
  const staged = await Promise.all(writes.map((write) => plan(write, writes.length > 1)));
  const entry = (await journal?.begin(staged.map(planOf))) ?? NO_ENTRY;
  const made: MadeFolder[] = [];
  try {
    for (const file of staged) await stage(file, made);
    const swapAll = (): Promise<void> => swap(staged, entry);
    await (journal?.whileLocked(
      staged.map(({ target }) => target),
      swapAll,
    ) ?? swapAll());
  } catch (thrown) {
    // Until it is whole again, all that it can be made whole with stays.
    if (thrown instanceof HalfWritten) throw thrown;
    await removeBeside(staged);
    for (const folder of made.toReversed()) await removeMadeFolder(folder);
    await entry.close();
    throw thrown;
  }
  for (const folder of new Set(staged.map(({ target }) => dirname(target)))) await syncFolder(folder);
  await removeBeside(staged);
  await entry.close();
}

async function plan(write: FileWrite, isOneOfSeveral: boolean): Promise<Staged> {
  const { target } = write;
  const existing = await statOrNull(target);
  if (existing !== null) await access(target, constants.W_OK);
  const beside = (ending: string): string => join(dirname(target), `.wield-${randomName(6)}.${ending}`);
  // A file with other names is written in place, so that they see the change too, and so is one whose owner would be lost.
  const isInPlace = write.pieces !== null && existing !== null && (existing.nlink > 1 || !canMakeLike(existing));
  return {
    write,
    existing,
    target,
    temp: write.pieces === null ? null : beside('tmp'),
    backup: existing !== null && (isOneOfSeveral || isInPlace) ? beside('old') : null,
    isInPlace,
  };
}

function planOf({ target, temp, backup, isInPlace }: PlannedWrite): PlannedWrite {
  return { target, temp, backup, isInPlace };
}

async function stage({ write, existing, temp, isInPlace }: Staged, made: MadeFolder[]): Promise<void> {
  if (temp === null || write.pieces === null) return;
  const folder = await makeFolder(dirname(temp));
  if (folder !== null) made.push(folder);
  const owner = existing ?? (write.like === undefined ? null : await statOrNull(write.like));
  await writeTemp(temp, write.pieces, isInPlace ? 'private' : owner);
}

async function swap(staged: readonly Staged[], entry: JournalEntry): Promise<void> {
  for (const { target, backup, isInPlace } of staged) if (backup !== null) await makeBackup(target, backup, isInPlace);
  const [only] = staged;
  if (staged.length === 1 && only !== undefined && !only.isInPlace) {
    // One rename is its own commit.
    if (only.write.expect !== 'any') await currentVersion(only);
    return publish(only);
  }
  const files: Committed[] = [];
  for (const file of staged) files.push(await compared(file));
  await entry.commit(files.map(recordOf));
  await publishAll(files, entry);
}

/** Errors: FileConflict where it is not the expected one. */
async function currentVersion({ write, target }: Staged): Promise<Version | 'absent' | 'other'> {
  const version = await versionAt(target);
  if (write.expect !== 'any' && version !== write.expect) throw new FileConflict(write.path);
  return version;
}

async function compared(file: Staged): Promise<Committed> {
  const { write, target, backup, isInPlace } = file;
  const old = await currentVersion(file);
  if (isInPlace && backup !== null && (await versionAt(backup)) !== old) throw new FileConflict(write.path);
  const inode = write.pieces === null ? ((await statOrNull(target))?.ino ?? null) : null;
  return { ...file, old, new: write.pieces === null ? 'absent' : await hashOfPieces(write.pieces), inode };
}

function recordOf(file: Committed): CommittedWrite {
  return { ...planOf(file), old: file.old, new: file.new, inode: file.inode };
}

async function publishAll(files: readonly Committed[], entry: JournalEntry): Promise<void> {
  const published: Committed[] = [];
  try {
    for (const file of files) {
      published.push(file);
      await publish(file);
    }
  } catch (thrown) {
    // A full disk may not take the record; then this is still tried, and after a kill the next start goes on to the new content.
    await entry.revert(files.map(recordOf)).catch(() => undefined);
    await takeAllBack(published.toReversed());
    throw thrown;
  }
}

async function takeAllBack(files: readonly Committed[]): Promise<void> {
  let failure: HalfWritten | null = null;
  for (const file of files) {
    await takeBack(file).catch((cause: unknown) => {
      failure ??= new HalfWritten(file.target, file.backup, cause);
    });
  }
  if (failure !== null) throw failure;
}

async function publish({ write, target, temp, isInPlace }: Staged): Promise<void> {
  if (temp === null || write.pieces === null) await unlink(target);
  else if (isInPlace) await writeInPlace(target, Buffer.concat(write.pieces));
  else await rename(temp, target);
}

/** As far as it can be done: the write is visible already, and some folders may not be opened, and some file systems sync none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
