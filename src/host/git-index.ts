import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
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
  const hasIndex = await stat(index).then(
    (stats) => stats.isFile(),
    () => false,
  );
  // Before the first `git add` there is none, and nothing to write.
  if (!hasIndex) return run({});
  const folder = await mkdtemp(join(tmpdir(), 'wield-index-'));
  try {
    await copyFile(index, join(folder, 'index'), constants.COPYFILE_FICLONE);
    return await run({ GIT_INDEX_FILE: join(folder, 'index') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
