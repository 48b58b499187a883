import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run of git an index of its own, a copy that is removed afterwards: `git diff` writes an index whose times are stale,
 * also under --no-optional-locks. Source: builtin/diff.c of git 2.39, refresh_index_quietly.
 * Errors: throws where no copy can be made.
 */
export async function withIndexCopy<T>(
  gitFolder: string,
  run: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const index = join(gitFolder, 'index');
  const stats = await stat(index).catch(() => null);
  // Before the first `git add` there is none, and nothing to write.
  if (stats === null || !stats.isFile()) return run({});
  const folder = await mkdtemp(join(tmpdir(), 'wield-index-'));
  try {
    const copy = join(folder, 'index');
    await copyFile(index, copy, constants.COPYFILE_FICLONE);
    // A file that is no older than the index may have changed since, and is read again. Never make the copy look newer.
    // Source: Documentation/technical/racy-git.txt of git 2.39.
    const seconds = Math.floor(stats.mtimeMs / 1000);
    await utimes(copy, seconds, seconds);
    return await run({ GIT_INDEX_FILE: copy });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
