import { lstatSync, readlinkSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { isProgram } from './is-program.ts';

export interface ProgramSearch {
  readonly environment: NodeJS.ProcessEnv;
  /** Real paths of folders that a model may write: what lies in one, or is reached through a link in one, is never taken. */
  readonly roots: readonly string[];
  /** Folders that come before those of PATH. */
  readonly first?: readonly string[];
}

const MAX_LINKS = 40;

/** The program of this name on PATH, or null. Relative folders do not count: a repository could have put it there. */
export function findProgram(name: string, { environment, roots, first = [] }: ProgramSearch): string | null {
  const folders = [...first, ...(environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))];
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(path) && !leadsThrough(path, roots)) ?? null;
}

/** True where the path, or anything that a link on the way leads to, lies in one of the folders. */
export function leadsThrough(path: string, roots: readonly string[]): boolean {
  const { links, end } = wayTo(path);
  return [resolve(path), ...links, end].some((place) => roots.some((root) => isWithin(place, root)));
}

/** The links that a path goes through, each by its real place, and where it ends, whether or not that is there. */
export function wayTo(path: string): { readonly links: readonly string[]; readonly end: string } {
  const links: string[] = [];
  let rest = resolve(path).split(sep).slice(1);
  let place: string = sep;
  while (rest.length > 0) {
    const next = join(place, rest[0] ?? '');
    const target = links.length < MAX_LINKS ? linkTarget(next) : null;
    if (target === null) {
      place = next;
      rest = rest.slice(1);
      continue;
    }
    links.push(next);
    rest = [...resolve(dirname(next), target).split(sep).slice(1), ...rest.slice(1)];
    place = sep;
  }
  return { links, end: place };
}

/** Where a link leads, as it says; null for what is none. */
export function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
