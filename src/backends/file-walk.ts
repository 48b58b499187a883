import { dirname, join } from 'node:path';
import type { FileAccess, FileStat } from '../core/ports.ts';
import { type IgnoreLevel, isIgnored, parseRules, RULE_FILES, withoutRulesOn } from '../host/search/plain-ignore.ts';
import type { WalkOptions } from '../host/search/plain-walk.ts';
import { EXCLUDED_FOLDERS } from '../host/search/search-scope.ts';

/** A file under way: its path relative to the root of the search, and what is known of it. */
export interface WalkedFile {
  readonly path: string;
  readonly stat: FileStat;
}

export interface FileWalk extends WalkOptions {
  readonly files: FileAccess;
  /** Aborted where the walk is to end. */
  readonly signal: AbortSignal;
}

interface Folder {
  readonly path: string;
  readonly realPath: string;
  readonly above: IgnoreLevel | null;
}

const EXCLUDED: ReadonlySet<string> = new Set(EXCLUDED_FOLDERS);

/** The files below a folder of any FileAccess, relative to its root and sorted by path. Links are not followed, so nothing is visited twice. */
export async function* walkFileAccess(walk: FileWalk): AsyncGenerator<WalkedFile> {
  const realPath = await walk.files.realPath(join(walk.root, walk.start));
  yield* walkFolder(walk, { path: walk.start, realPath, above: walk.includeIgnored ? null : await levelAbove(walk, realPath) });
}

async function* walkFolder(walk: FileWalk, folder: Folder): AsyncGenerator<WalkedFile> {
  const entries = await entriesOf(walk, folder);
  const level = walk.includeIgnored ? null : await ignoreLevel(walk, folder.realPath, folder.above);
  for (const { name, isFolder, stat } of entries) {
    if (walk.signal.aborted) return;
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    const realPath = join(folder.realPath, name);
    if (walk.filter !== null && !(isFolder ? walk.filter.acceptsFolder(path) : walk.filter.acceptsFile(path))) continue;
    if (level !== null && ((isFolder && EXCLUDED.has(name)) || isIgnored(level, realPath, isFolder))) continue;
    if (isFolder) yield* walkFolder(walk, { path, realPath, above: level });
    else yield { path, stat };
  }
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly stat: FileStat;
}

/** Files and folders, in the order in which their paths are sorted: what is in a folder sorts by its name and a slash. */
async function entriesOf(walk: FileWalk, { path, realPath }: Folder): Promise<readonly Entry[]> {
  const names = await walk.files.list(realPath).catch(() => {
    walk.onUnreadable(path);
    return [];
  });
  const entries = await Promise.all(names.map((name) => entryAt(walk.files, realPath, name)));
  const key = ({ name, isFolder }: Entry): string => (isFolder ? `${name}/` : name);
  return entries.filter((entry) => entry !== null).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Null for a link, for what is neither file nor folder, and for what has gone meanwhile. */
async function entryAt(files: FileAccess, folder: string, name: string): Promise<Entry | null> {
  const path = join(folder, name);
  const [real, stat] = await Promise.all([files.realPath(path), files.stat(path)]).catch(() => [null, null]);
  if (stat === null || real !== path || (stat.kind !== 'file' && stat.kind !== 'directory')) return null;
  return { name, isFolder: stat.kind === 'directory', stat };
}

async function levelAbove(walk: FileWalk, folder: string): Promise<IgnoreLevel | null> {
  const parent = dirname(folder);
  if (parent === folder) return null;
  return withoutRulesOn(folder, await ignoreLevel(walk, parent, await levelAbove(walk, parent)));
}

async function ignoreLevel({ files }: FileWalk, folder: string, above: IgnoreLevel | null): Promise<IgnoreLevel> {
  const rules = RULE_FILES.map(async (name) => {
    // Not there, or not readable: then it excludes nothing.
    const bytes = await files.read(join(folder, name)).catch(() => null);
    return bytes === null ? null : parseRules(Buffer.from(bytes).toString('utf8'));
  });
  return { folder, rules: await Promise.all(rules), above };
}
