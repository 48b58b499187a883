import { realpathSync, type Stats } from 'node:fs';
import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import { hashOfPieces } from '../../core/hash.ts';
import { type ByteRange, type Change, type FileAccess, type FileContent, type FileStat, type Version } from '../../core/ports.ts';
import { commitWrites } from './file-transaction.ts';
import { realPathOf } from './real-path.ts';
import { CHUNK_BYTES, MAX_UNSIZED_BYTES, withRegularFile } from './regular-file.ts';
import { WriteJournal } from './write-journal.ts';

export interface LocalFilesOptions {
  /** True in a session; a bare SDK has no record of what a model has seen. */
  readonly tracksSeen: boolean;
  /** Where writes that are under way are on record, so that a killed one is settled at the next start. */
  readonly journalFolder?: string;
  /** What the model has seen before, by real path; what it sees from now on is added. */
  readonly seen?: Map<string, Version>;
  /** Called where a file, or another version of it, is seen. */
  onSeen?(path: string, version: Version): void;
}

/** The files of this machine. */
export function createLocalFiles({ tracksSeen, journalFolder, seen = new Map(), onSeen }: LocalFilesOptions): FileAccess {
  const journal = journalFolder === undefined ? null : new WriteJournal(journalFolder);
  // What a killed process left is settled before the first look at a file: a half of it would be taken for the file.
  const recovered = startRecovery(journal);
  let lastWrite: Promise<unknown> = Promise.resolve(recovered.wait());
  // One after the other: between the comparison and the swap no other write of ours may come.
  const transact = (changes: readonly Change[]): Promise<void> => {
    const write = lastWrite.then(() => writeAll(changes, journal));
    lastWrite = write.catch(() => undefined);
    return write;
  };
  return {
    tracksSeen,
    realPath: realPathOf,
    // Paths are taken by their words, `..` after a link too, since that is how they were judged.
    stat: async (path) => {
      await recovered.wait();
      return describe(await stat(resolve(path)));
    },
    list: async (path) => {
      await recovered.wait();
      return readdir(resolve(path));
    },
    read: async (path, range) => {
      await recovered.wait();
      return readRegularFile(resolve(path), range);
    },
    replace: async (path, bytes, expect) => {
      const [version] = await Promise.all([hashOfPieces(piecesIn(bytes)), transact([{ path, bytes, expect }])]);
      return version;
    },
    transact,
    seen: (path) => seen.get(seenKey(path)) ?? null,
    noteSeen: (path, version) => {
      const key = seenKey(path);
      if (seen.get(key) !== version) onSeen?.(key, version);
      seen.set(key, version);
    },
  };
}

/** `wait` gives nothing to wait for once it has ended. */
function startRecovery(journal: WriteJournal | null): { wait(): Promise<void> | undefined } {
  let recovery = journal?.recover().finally(() => {
    recovery = undefined;
  });
  return { wait: () => recovery };
}

function piecesIn(content: FileContent): readonly Uint8Array[] {
  return content instanceof Uint8Array ? [content] : content;
}

/** A file is the same by all of its names. */
function seenKey(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function describe(stats: Stats): FileStat {
  return { kind: kindOf(stats), sizeBytes: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode & 0o7777 };
}

function kindOf(stats: Stats): FileStat['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'device' : 'other';
}

async function readRegularFile(path: string, range?: ByteRange): Promise<Uint8Array> {
  return withRegularFile(path, async (file, size) => {
    const start = range?.start ?? 0;
    const length = Math.max(0, Math.min(range?.length ?? size ?? MAX_UNSIZED_BYTES, (size ?? MAX_UNSIZED_BYTES) - start));
    return size === null ? readUnsized(file, start, length) : readBytes(file, start, length);
  });
}

async function readUnsized(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < length; ) {
    const chunk = await readBytes(file, start + at, Math.min(CHUNK_BYTES, length - at));
    if (chunk.length === 0) break;
    chunks.push(chunk);
    at += chunk.length;
  }
  return Buffer.concat(chunks);
}

async function readBytes(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function writeAll(changes: readonly Change[], journal: WriteJournal | null): Promise<void> {
  const writes = await Promise.all(
    changes.map(async ({ path, bytes, expect, like }) => {
      const target = await realPathOf(path);
      await assertRegularOrAbsent(target);
      return {
        path,
        target,
        expect,
        pieces: bytes === null ? null : piecesIn(bytes),
        ...(like === undefined ? {} : { like: await realPathOf(like) }),
      };
    }),
  );
  await commitWrites(writes, journal);
}

async function assertRegularOrAbsent(path: string): Promise<void> {
  const kind = await stat(path).then(kindOf, (thrown: unknown) => {
    if (systemCodeOf(thrown) === 'ENOENT') return 'file' as const;
    throw thrown;
  });
  if (kind === 'directory') throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' });
  if (kind !== 'file') throw Object.assign(new Error(`${path} is a ${kind}`), { code: 'EINVAL' });
}
