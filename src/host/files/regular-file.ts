import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { systemCodeOf } from '../../core/errors.ts';
import { hashOfPieces } from '../../core/hash.ts';
import type { Version } from '../../core/ports.ts';

/** The most that is read of a file that does not tell its size. */
export const MAX_UNSIZED_BYTES = 8 * 1024 * 1024;
/** What is read at once of such a file. */
export const CHUNK_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;

/**
 * Opens a regular file and nothing else. `size` is null where the file does not tell it: those of /proc say 0, whatever they hold.
 * `flags` are added to those of reading. Errors: EISDIR, EINVAL. Source: proc(5)
 */
export async function withRegularFile<T>(
  path: string,
  use: (file: FileHandle, size: number | null) => Promise<T>,
  flags = 0,
): Promise<T> {
  // O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stats = await file.stat();
    if (!stats.isFile())
      throw Object.assign(new Error(`${path} is not a regular file`), { code: stats.isDirectory() ? 'EISDIR' : 'EINVAL' });
    return await use(file, stats.size === 0 ? null : stats.size);
  } finally {
    await file.close();
  }
}

/** What stands at a real path: a regular file's version, `absent`, or `other`, which is a folder, a link or anything else. */
export async function versionAt(realPath: string): Promise<Version | 'absent' | 'other'> {
  try {
    return await withRegularFile(realPath, (file, size) => hashOfPieces(piecesOf(file, size)), constants.O_NOFOLLOW);
  } catch (thrown) {
    const code = systemCodeOf(thrown) ?? '';
    if (code === 'ENOENT') return 'absent';
    // A link here came after the path was resolved. Source: open(2), O_NOFOLLOW
    if (['ELOOP', 'EMLINK', 'EISDIR', 'EINVAL', 'ENOTDIR', 'ENXIO'].includes(code)) return 'other';
    throw thrown;
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
