import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import type { Mount } from './mount-plan.ts';
import { entryAt, existing, isFolder, isPlain } from './visible-places.ts';

/** What of a git folder names programs that git runs. */
const RULING = ['hooks', 'config', 'config.worktree', 'modules', 'commondir', 'info/attributes'];

/** Commits work, and nothing can be planted: the folder is a mount, so it cannot be moved away, and what governs git in it cannot be written. */
export function gitMounts(root: string): Mount[] {
  const link = join(root, '.git');
  if (!isPlain(link)) return [];
  if (isFolder(link)) return guarded(link, root);
  const own = worktreeFolders(link);
  return [{ kind: 'readable', path: link }, ...own.flatMap((folder) => guarded(folder, root))];
}

function guarded(folder: string, root: string): Mount[] {
  const ruling = [...RULING.map((name) => join(folder, name)), ...hooksFolder(folder, root)];
  return [
    { kind: 'pinned', path: folder },
    ...ruling.filter((path) => isPlain(path)).map((path) => ({ kind: 'readable', path }) as const),
  ];
}

/** Hooks may stand in a folder of the project, as husky has them. */
function hooksFolder(folder: string, root: string): string[] {
  const named = /^\s*hookspath\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(textOf(join(folder, 'config')))?.[1];
  const path = named === undefined ? null : resolve(root, named);
  return path !== null && path !== root && isWithin(path, root) ? [path] : [];
}

/**
 * For a worktree, its folder in the repository and the repository's own. The repository has to name this worktree in turn: otherwise
 * a file that came with an archive could open any repository of the person.
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
