import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { globMatcher } from '../core/glob-matcher.ts';
import type { ElsewhereFiles } from './gate.ts';
import { lenientRealPath, lenientRealPathIn } from './lenient-real-path.ts';

/** What a look below a folder came to. `isWhole` is false where there was too much to look at. */
export interface FoundBelow {
  readonly found: readonly string[];
  readonly isWhole: boolean;
}

type IsWanted = (path: string, isLink: boolean) => boolean | Promise<boolean>;

export interface BelowOptions {
  readonly maxEntries?: number;
  /** As `grep -R` does. Then nothing is skipped either: links lead out of what is not the project's own as well. */
  readonly followsLinks?: boolean;
  /** What a folder holds. Default: as this machine's disk tells; a folder that cannot be read holds nothing. */
  readonly entriesIn?: (folder: string) => Promise<readonly BelowEntry[]>;
}

type BelowEntry = Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>;

const MAX_ENTRIES = 5000;
// Who follows links goes through folders that are skipped otherwise.
const MAX_FOLLOWED = 50_000;
const MAX_FOUND = 5;
// Their content is not the project's own, and there is much of it: packages are public.
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Names below a folder that are wanted, the nearest first; a few are enough. Links are names like others and are followed on demand only.
 * A folder that cannot be read holds nothing that a command could read; a file has nothing below it.
 */
export async function findBelow(folder: string, isWanted: IsWanted, options: BelowOptions = {}): Promise<FoundBelow> {
  const { followsLinks = false, maxEntries = followsLinks ? MAX_FOLLOWED : MAX_ENTRIES, entriesIn = entriesOnDisk } = options;
  const found: string[] = [];
  const waiting = [folder];
  const known = new Set(waiting);
  let seen = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of await entriesIn(next)) {
      if (++seen > maxEntries) return { found, isWhole: false };
      const path = join(next, entry.name);
      const isLink = entry.isSymbolicLink();
      const below = isLink && followsLinks ? await lenientRealPath(path) : path;
      const isEntered = isLink ? followsLinks : entry.isDirectory() && (followsLinks || !SKIPPED.has(entry.name));
      if (await isWanted(path, isLink)) found.push(path);
      else if (isEntered && !known.has(below)) waiting.push(below);
      known.add(below);
      if (found.length === MAX_FOUND) return { found, isWhole: false };
    }
  }
  return { found, isWhole: true };
}

async function entriesOnDisk(folder: string): Promise<readonly BelowEntry[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** The entries of a folder that is not of this machine. */
export function entriesElsewhere(files: ElsewhereFiles): (folder: string) => Promise<readonly BelowEntry[]> {
  return async (folder) => {
    const names = await files.list(folder).catch(() => []);
    return Promise.all(names.map((name) => entryElsewhere(files, folder, name)));
  };
}

async function entryElsewhere(files: ElsewhereFiles, folder: string, name: string): Promise<BelowEntry> {
  const path = join(folder, name);
  const [real, stat] = await Promise.all([lenientRealPathIn(files, path), files.stat(path).catch(() => null)]);
  return { name, isDirectory: () => stat?.kind === 'directory', isSymbolicLink: () => real !== path };
}

/** The same for what lies in the folder itself and fits a pattern of the shell, which takes no name with a dot in front. */
export async function findNamed(folder: string, pattern: string, isWanted: IsWanted): Promise<FoundBelow> {
  const fits = globMatcher(pattern);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith('.') && fits(name))) {
    const path = join(folder, entry.name);
    if (await isWanted(path, entry.isSymbolicLink())) found.push(path);
    if (found.length === MAX_FOUND) return { found, isWhole: false };
  }
  return { found, isWhole: true };
}
