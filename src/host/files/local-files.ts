import { constants, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import { hashOfPieces } from '../../core/hash.ts';
import {
  type ByteRange,
  type Change,
  type FileAccess,
  FileConflict,
  type FileContent,
  type FileStat,
  type Version,
} from '../../core/ports.ts';
import { commitWrites } from './file-transaction.ts';
import { realPathOf } from './real-path.ts';
import { WriteJournal } from './write-journal.ts';

export interface LocalFilesOptions {
  /** True in a session; a bare SDK has no record of what a model has seen. */
  readonly tracksSeen: boolean;
  /** Where writes that are under way are on record, so that a killed one is settled at the next start. */
  readonly journalFolder?: string;
}

const CHUNK_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;
const MAX_UNSIZED_BYTES = 8 * 1024 * 1024;

/** The files of this machine. */
export function createLocalFiles({ tracksSeen, journalFolder }: LocalFilesOptions): FileAccess {
  const seen = new Map<string, Version>();
  const journal = journalFolder === undefined ? null : new WriteJournal(journalFolder);
  // Settled beside the start, and before the first write.
  const recovered = journal?.recover();
  let lastWrite: Promise<unknown> = Promise.resolve(recovered);
  // One after the other: between the comparison and the swap no other write of ours may come.
  const transact = (changes: readonly Change[]): Promise<void> => {
    const write = lastWrite.then(() => writeAll(changes, journal));
    lastWrite = write.catch(() => undefined);
    return write;
  };
  return {
    tracksSeen,
    // Paths are taken by their words, `..` after a link too, since that is how they were judged.
    stat: async (path) => describe(await stat(resolve(path))),
    list: (path) => readdir(resolve(path)),
    read: (path, range) => readRegularFile(resolve(path), range),
    replace: async (path, bytes, expect) => {
      const [version] = await Promise.all([hashOfPieces(piecesIn(bytes)), transact([{ path, bytes, expect }])]);
      return version;
    },
    transact,
    seen: (path) => seen.get(seenKey(path)) ?? null,
    noteSeen: (path, version) => void seen.set(seenKey(path), version),
  };
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

/** Opens a regular file and nothing else. `size` is null where the file does not tell it: those of /proc say 0, whatever they hold. Source: proc(5) */
async function withRegularFile<T>(path: string, use: (file: FileHandle, size: number | null) => Promise<T>): Promise<T> {
  // O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile())
      throw Object.assign(new Error(`${path} is not a regular file`), { code: stats.isDirectory() ? 'EISDIR' : 'EINVAL' });
    return await use(file, stats.size === 0 ? null : stats.size);
  } finally {
    await file.close();
  }
}

/** A file's content in one piece of memory that is used again and again. */
async function* piecesOf(file: FileHandle, size: number | null): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size ?? CHUNK_BYTES));
  const end = size ?? MAX_UNSIZED_BYTES;
  for (let at = 0; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
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
    changes.map(async ({ path, bytes, like }) => {
      const target = await realPathOf(path);
      await assertRegularOrAbsent(target);
      return {
        target,
        pieces: bytes === null ? null : piecesIn(bytes),
        ...(like === undefined ? {} : { like: await realPathOf(like) }),
      };
    }),
  );
  await commitWrites(writes, journal, async () => {
    for (const [i, { path, expect }] of changes.entries()) {
      const target = writes[i]?.target ?? path;
      if (expect !== 'any' && (await currentVersion(target)) !== expect) throw new FileConflict(path);
    }
  });
}

async function assertRegularOrAbsent(path: string): Promise<void> {
  const kind = await stat(path).then(kindOf, (thrown: unknown) => {
    if (systemCodeOf(thrown) === 'ENOENT') return 'file' as const;
    throw thrown;
  });
  if (kind === 'directory') throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' });
  if (kind !== 'file') throw Object.assign(new Error(`${path} is a ${kind}`), { code: 'EINVAL' });
}

async function currentVersion(path: string): Promise<Version | 'absent'> {
  try {
    return await withRegularFile(path, (file, size) => hashOfPieces(piecesOf(file, size)));
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return 'absent';
    throw thrown;
  }
}
