import { join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import type { Confinement } from '../../core/permission.ts';
import { gitProtection, repositoryAround } from './git-folder.ts';
import { grantedPlaces } from './granted-places.ts';
import { hostSockets } from './host-sockets.ts';
import { isVisible, type Mount, mountOrder, withPins } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { homeLinksProtection, namesProtection } from './protected-mounts.ts';
import { NO_PROTECTION, type Protection, together } from './protection.ts';
import { rootsOf, type SandboxPlace } from './sandbox.ts';
import { existing, hiddenPlaces, isFolder, secretPlaces } from './visible-places.ts';

/** What is ours to show to commands. */
export interface OwnPlaces {
  /** In place of the machine's scratch folders. */
  readonly scratch: string;
  readonly caches: string;
  /** Tools of the person. */
  readonly tools: readonly Mount[];
  /** What stands in place of settings that may hold secrets. */
  readonly settings: readonly Mount[];
}

/** All that one command gets to see, and what has to be looked after when it has ended. */
export interface CommandMounts {
  /** In the order in which they have to be made. */
  readonly mounts: readonly Mount[];
  /** Folders that it may write. */
  readonly open: readonly string[];
  readonly protection: Protection;
  /** What it was granted and cannot get, a sentence each. */
  readonly refused: readonly string[];
}

/** Plans what a command sees, and how. */
export function commandMounts(place: SandboxPlace, own: OwnPlaces, confinement: Confinement): CommandMounts {
  const roots = rootsOf(place);
  const mayWrite = confinement.writes !== 'nothing';
  const { mounts: granted, refused } = grantedPlaces(place, confinement);
  const open = [
    ...(mayWrite ? roots : []),
    ...granted.filter(({ kind, path }) => kind === 'writable' && isFolder(path)).map(({ path }) => path),
  ];
  const protection = protectionOf(open, place.home);
  const pinned = new Set(protection.mounts.filter(({ kind }) => kind === 'pinned').map(({ path }) => path));
  const around = repositoryAround(place.workspace, place.home);
  const shown = mountOrder([
    ...hiddenPlaces(place),
    ...places.scratch.map((path): Mount => ({ kind: 'private', path, source: own.scratch })),
    ...own.tools,
    ...cacheMounts(place, own),
    ...(around === null ? [] : [{ kind: 'readable', path: around } as const]),
    ...roots.map((path): Mount => ({ kind: mayWrite ? 'writable' : 'readable', path })),
    ...protection.mounts,
    // What is pinned can be written, and has to stay a mount.
    ...granted.filter(({ kind, path }) => kind === 'readable' || !pinned.has(path)),
  ]);
  const covered = mountOrder([...shown, ...covers(place, [...roots, ...open], { shown, granted }), ...own.settings]);
  return { mounts: mayWrite || open.length > 0 ? withPins(covered, protection.links) : covered, open, protection, refused };
}

/** What has to stay as it is in folders that commands may write. */
export function protectionOf(open: readonly string[], home: string): Protection {
  const where = { open, home };
  return open.length === 0
    ? NO_PROTECTION
    : together([
        ...open.flatMap((folder) => [gitProtection(folder, where), namesProtection(folder, where)]),
        homeLinksProtection(where),
      ]);
}

/** Secrets and the machine's sockets, wherever they would be seen. What lies in one and was granted is mounted over it. */
function covers(
  place: SandboxPlace,
  open: readonly string[],
  { shown, granted }: { readonly shown: readonly Mount[]; readonly granted: readonly Mount[] },
): Mount[] {
  const taken = new Set([...open, ...granted.map(({ path }) => path)]);
  const sockets = hostSockets(open).map((path): Mount => ({ kind: 'blank', path }));
  return [...secretPlaces(place), ...sockets].filter(({ path }) => isVisible(path, shown) && !taken.has(path));
}

/** Where the workspace is the home itself, its own folder is used if it is there: a mount would leave an empty one behind. */
function cacheMounts({ home, workspace }: SandboxPlace, { caches }: OwnPlaces): Mount[] {
  const path = join(home, '.cache');
  return existing(home) === null || (isWithin(path, workspace) && !isFolder(path))
    ? []
    : [{ kind: 'private', path, source: caches }];
}
