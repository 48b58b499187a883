import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { systemCodeOf } from '../../core/errors.ts';

/** What in a folder can have something run or permitted: settings, servers, commands and the scripts of hooks. */
export const EXECUTABLE_CONFIG = [
  '.wield/settings.json',
  '.wield/settings.local.json',
  '.wield/commands',
  '.wield/hooks',
  '.wield/skills',
  '.wield/agents',
  '.mcp.json',
] as const;

const MAX_FILES = 500;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * A hash of all configuration in a folder that can have something run, by names and contents. Null where there is none; `unreadable` for
 * what is no plain file, leads out of `within`, or is too much to look at: it equals nothing that was trusted.
 */
export async function configFingerprint(folder: string, within: string): Promise<string | null> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const room = { files: MAX_FILES, bytes: MAX_BYTES };
  let isEmpty = true;
  try {
    for (const name of EXECUTABLE_CONFIG) {
      for (const path of await filesAt(join(folder, name), room)) {
        isEmpty = false;
        const bytes = await contentOf(path, within, room);
        // Lengths keep a name and a content apart from any other pair.
        hash.update(`${Buffer.byteLength(path)} ${bytes.length} ${path}\n`).update(bytes);
      }
    }
  } catch {
    return 'unreadable';
  }
  return isEmpty ? null : hash.digest('hex');
}

/** The file itself, or all files below it, sorted. */
async function filesAt(path: string, room: { files: number }): Promise<readonly string[]> {
  const stats = await statOrNull(path);
  if (stats === null) return [];
  if (--room.files < 0) throw new Error('too many files');
  if (!stats.isDirectory()) return [path];
  const found: string[] = [];
  for (const name of (await readdir(path)).toSorted()) found.push(...(await filesAt(join(path, name), room)));
  return found;
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw thrown;
  }
}

async function contentOf(path: string, within: string, room: { bytes: number }): Promise<Uint8Array> {
  const real = await realpath(path);
  if (!isWithin(real, within)) throw new Error('it leads out');
  // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = await file.stat();
    room.bytes -= stats.size;
    if (!stats.isFile() || room.bytes < 0) throw new Error('it is no file, or too large');
    return await file.readFile();
  } finally {
    await file.close();
  }
}
