import { createLocalSearch } from '../host/search/local-search.ts';

const MAX_FILES = 50_000;

/** The files of a folder for completion: relative paths, newest first, without what git ignores. */
export async function projectFiles(cwd: string): Promise<readonly string[]> {
  const { files } = await createLocalSearch(null, [cwd]).find({
    root: cwd,
    accepts: () => true,
    includeIgnored: false,
    maxResults: MAX_FILES,
    signal: AbortSignal.timeout(10_000),
  });
  return files;
}
