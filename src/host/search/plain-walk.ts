import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type GlobFilter } from './plain-glob.ts';
import { type IgnoreLevel, isIgnored, levelAbove, readIgnoreLevel } from './plain-ignore.ts';
import { EXCLUDED_FOLDERS } from './search-scope.ts';

/** What a walk visits. */
export interface WalkScope {
  readonly root: string;
  /** Where it starts, relative to the root: '' or a folder. */
  readonly start: string;
  readonly includeIgnored: boolean;
}

export interface WalkOptions extends WalkScope {
  readonly filter: GlobFilter | null;
  /** Takes a folder that cannot be read; the walk goes on. */
  onUnreadable(path: string): void;
}

const EXCLUDED: ReadonlySet<string> = new Set(EXCLUDED_FOLDERS);

/** A folder under way: its path relative to the root, and its real one. */
interface Folder {
  readonly path: string;
  readonly realPath: string;
  readonly above: IgnoreLevel | null;
}

/** The files below a folder, relative to its root and sorted by path. Links are not followed, so nothing is visited twice. */
export function* walkFiles(options: WalkOptions): Generator<string> {
  const realPath = realpathSync(join(options.root, options.start));
  yield* walkFolder(options, { path: options.start, realPath, above: options.includeIgnored ? null : levelAbove(realPath) });
}

function* walkFolder(options: WalkOptions, folder: Folder): Generator<string> {
  const entries = entriesOf(options, folder);
  const level = options.includeIgnored
    ? null
    : readIgnoreLevel(folder.realPath, folder.above, new Set(entries.map(({ name }) => name)));
  for (const entry of entries) {
    const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    const realPath = join(folder.realPath, entry.name);
    const isFolder = entry.isDirectory();
    if (!isWanted(options, path, isFolder)) continue;
    if (level !== null && ((isFolder && EXCLUDED.has(entry.name)) || isIgnored(level, realPath, isFolder))) continue;
    if (isFolder) yield* walkFolder(options, { path, realPath, above: level });
    else yield path;
  }
}

function isWanted({ filter }: WalkOptions, path: string, isFolder: boolean): boolean {
  return filter === null || (isFolder ? filter.acceptsFolder(path) : filter.acceptsFile(path));
}

/** Files and folders, in the order in which their paths are sorted: what is in a folder sorts by its name and a slash. */
function entriesOf(options: WalkOptions, { path, realPath }: Folder): Dirent[] {
  const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  try {
    return readdirSync(realPath, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') options.onUnreadable(path);
    return [];
  }
}
