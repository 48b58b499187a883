import { realpathSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';

const MAX_LINKS = 40;

/**
 * Where a path really leads: links followed, also dangling ones; what does not exist yet is placed below its nearest real parent.
 * Errors: ELOOP for a cycle of links, EACCES where a folder cannot be looked into.
 */
export async function realPathOf(path: string): Promise<string> {
  return follow(resolve(path), MAX_LINKS);
}

async function follow(path: string, linksLeft: number): Promise<string> {
  try {
    // In place: the look itself takes a tenth of the way to the thread pool and back, and each call of a tool takes three.
    return realpathSync.native(path);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    // Below a regular file nothing exists; the path is judged where it would stand.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const target = await linkTarget(path);
  if (target === null) return resolve(await follow(parent, linksLeft), basename(path));
  if (linksLeft === 0) throw Object.assign(new Error(`too many links at ${path}`), { code: 'ELOOP' });
  return follow(resolve(parent, target), linksLeft - 1);
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch {
    return null;
  }
}
