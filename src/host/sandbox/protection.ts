import { isWithin } from '../../core/footprint.ts';
import { wayTo } from '../process/find-program.ts';
import type { Mount } from './mount-plan.ts';
import { entryAt, existing } from './visible-places.ts';

/** What of a folder that commands may write has to stay as it is, since other programs run it or obey it. */
export interface Protection {
  readonly mounts: readonly Mount[];
  /** Links that have to lead where they lead now: nothing can be mounted over a link. */
  readonly links: readonly string[];
  /** What would be run or obeyed once somebody makes it. */
  readonly absent: readonly string[];
  /** The folders of git that are open to writes. */
  readonly gitFolders: readonly string[];
}

export const NO_PROTECTION: Protection = { mounts: [], links: [], absent: [], gitFolders: [] };

/** Where commands may write, which decides what needs protection: real paths. */
export interface OpenPlaces {
  readonly open: readonly string[];
  readonly home: string;
}

/** Keeps one path as it is: read-only, with what it leads to where that could be written, and with each link on the way. */
export function keep(path: string, { open }: OpenPlaces): Protection {
  const isOpen = (place: string): boolean => open.some((folder) => isWithin(place, folder));
  // Most are no links, nor below one: then one look is enough.
  if (existing(path) === path) return { ...NO_PROTECTION, mounts: isOpen(path) ? [{ kind: 'readable', path }] : [] };
  const { links, end } = wayTo(path);
  const isWhole = open.some((folder) => isWithin(folder, end));
  const mounts: Mount[] = isOpen(end) && !isWhole && entryAt(end) !== null ? [{ kind: 'readable', path: end }] : [];
  return {
    ...NO_PROTECTION,
    mounts,
    links: links.filter(isOpen),
    absent: isOpen(end) && entryAt(end) === null ? [end] : [],
  };
}

export function together(parts: readonly Protection[]): Protection {
  return {
    mounts: parts.flatMap(({ mounts }) => mounts),
    links: [...new Set(parts.flatMap(({ links }) => links))],
    absent: [...new Set(parts.flatMap(({ absent }) => absent))],
    gitFolders: [...new Set(parts.flatMap(({ gitFolders }) => gitFolders))],
  };
}
