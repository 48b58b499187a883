import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isWithin } from '../core/footprint.ts';
import { messageOf, systemCodeOf } from '../core/errors.ts';

/** A file's text, or why it cannot be used. */
export type ConfigFile = { readonly text: string } | { readonly fault: string };

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a file that a repository may have put there, so it trusts nothing about it. Null where there is none.
 * `within` is the real folder that it must not lead out of, or null where the file is the user's own.
 */
export async function readConfigFile(path: string, within: string | null): Promise<ConfigFile | null> {
  try {
    const real = await realpath(path);
    // A link could bring any file of the user, such as a key, before the model.
    if (within !== null && !isWithin(real, within)) return { fault: `it leads out of ${within}, to ${real}` };
    // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      return await readWhole(file);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { fault: messageOf(thrown) };
  }
}

async function readWhole(file: FileHandle): Promise<ConfigFile> {
  const stats = await file.stat();
  if (!stats.isFile()) return { fault: stats.isDirectory() ? 'it is a directory' : 'it is not a regular file' };
  const bytes = Buffer.alloc(Math.min(stats.size, MAX_BYTES) + 1);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled);
    if (bytesRead === 0) return { text: bytes.toString('utf8', 0, filled) };
    filled += bytesRead;
  }
  return { fault: `it is larger than ${MAX_BYTES} bytes` };
}
