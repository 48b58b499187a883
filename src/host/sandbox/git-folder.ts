import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { configSettings } from '../git/config-keys.ts';
import type { Mount } from './mount-plan.ts';
import { namesIn } from './protected-mounts.ts';
import { keep, NO_PROTECTION, type OpenPlaces, type Protection, together } from './protection.ts';
import { entryAt, existing, isFolder } from './visible-places.ts';

/** What of a git folder names programs that git runs. */
const RULING = ['hooks', 'config', 'config.worktree', 'modules', 'commondir', 'info/attributes'];
// Each mount costs time: where there are more worktrees, the folder of all is mounted.
const MAX_WORKTREES = 4;

/** Commits work, and nothing can be planted: the folder is a mount, so it cannot be moved away, and what governs git in it cannot be written. */
export function gitProtection(root: string, places: OpenPlaces): Protection {
  const link = join(root, '.git');
  const entry = entryAt(link);
  if (entry === null) return isBare(root) ? folderProtection(root, root, places) : NO_PROTECTION;
  if (entry.isDirectory()) return folderProtection(link, root, places);
  const file = keep(link, places);
  if (entry.isSymbolicLink()) {
    const target = existing(link);
    if (target === null || !isFolder(target)) return file;
    const isOpen = places.open.some((folder) => isWithin(target, folder));
    return together([{ ...file, mounts: [] }, ...(isOpen ? [folderProtection(target, root, places)] : [])]);
  }
  const own = worktreeFolders(link);
  return together([file, ...own.map((folder) => folderProtection(folder, root, places, own.at(-1)))]);
}

/** True for a repository without a work tree: git takes any such folder for one. */
export function isBare(folder: string): boolean {
  return ['HEAD', 'config', 'objects', 'refs'].every((name) => entryAt(join(folder, name)) !== null);
}

function folderProtection(folder: string, root: string, { open, home }: OpenPlaces, own?: string): Protection {
  const places = { open: [...open, folder], home };
  const ruling = RULING.map((name) => join(folder, name)).filter((path) => entryAt(path) !== null);
  return together([
    { ...NO_PROTECTION, mounts: [{ kind: 'pinned', path: folder }, ...otherWorktrees(folder, own)], gitFolders: [folder] },
    ...[...ruling, ...configuredPlaces(folder, root, places)].map((path) => keep(path, places)),
  ]);
}

/** Hooks may stand in a folder of the project, as husky has them, and so may parts of the configuration. */
function configuredPlaces(folder: string, root: string, { open, home }: OpenPlaces): string[] {
  const files = [
    join(folder, 'config'),
    join(folder, 'config.worktree'),
    join(home, '.gitconfig'),
    join(home, '.config/git/config'),
  ];
  const named = files.flatMap((file) =>
    configSettings(textOf(file)).flatMap(({ key, value }) => {
      if (value === '') return [];
      const path = value.replace(/^~(?=\/|$)/, home);
      if (key === 'core.hookspath') return [resolve(root, path)];
      return /^include(?:if\..+)?\.path$/s.test(key) ? [resolve(dirname(file), path)] : [];
    }),
  );
  return named.filter((path) => open.some((place) => isWithin(path, place)) && !open.some((place) => isWithin(place, path)));
}

/** What belongs to work trees other than this one. */
function otherWorktrees(folder: string, own: string | undefined): Mount[] {
  const around = join(folder, 'worktrees');
  const others = namesIn(around)
    .map((name) => join(around, name))
    .filter((path) => path !== own);
  if (others.length === 0) return [];
  if (others.length > MAX_WORKTREES) return [{ kind: 'readable', path: around }];
  return [{ kind: 'pinned', path: around }, ...others.map((path) => ({ kind: 'readable', path }) as const)];
}

/**
 * For a worktree, its repository and then its folder in it. The repository has to name this worktree in turn: otherwise a file that
 * came with an archive could open any repository of the person.
 */
function worktreeFolders(link: string): string[] {
  const named = /^gitdir: (.+)$/m.exec(textOf(link))?.[1];
  const folder = named === undefined ? null : existing(resolve(dirname(link), named));
  if (folder === null || existing(textOf(join(folder, 'gitdir')).trim()) !== link) return [];
  const around = textOf(join(folder, 'commondir')).trim();
  const repository = around === '' ? null : existing(resolve(folder, around));
  return repository === null ? [folder] : [repository, folder];
}

/** The nearest folder above with a repository: its files are read by tools that work in a part of it. Null where the workspace has its own. */
export function repositoryAround(workspace: string, home: string): string | null {
  for (let folder = workspace; folder !== dirname(folder); folder = dirname(folder)) {
    if (isWithin(home, folder)) return null;
    if (entryAt(join(folder, '.git')) !== null) return folder === workspace ? null : folder;
  }
  return null;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
