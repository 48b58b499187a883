import { dirname } from 'node:path';
import { isWithin } from '../../core/footprint.ts';

/**
 * What stands at a path inside. `hidden`: an empty folder that vanishes with the command. `blank`: a file that cannot be opened.
 * `private`: a folder of ours in its place. `pinned`: writable, and never left out, since what is mounted cannot be renamed away.
 */
export type MountKind = 'hidden' | 'blank' | 'private' | 'readable' | 'writable' | 'pinned';

export interface Mount {
  readonly kind: MountKind;
  readonly path: string;
  /** What is shown there; the path itself unless given. */
  readonly source?: string;
}

/** Outer folders first, as mounts have to be made; of two for one path the later; without those that change nothing. */
export function mountOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  const sorted = [...last.values()].toSorted((a, b) => depth(a.path) - depth(b.path));
  const kept: Mount[] = [];
  for (const mount of sorted)
    if (mount.source !== undefined || !isRedundant(mount.kind, kindAround(mount.path, kept))) kept.push(mount);
  return kept;
}

/**
 * The same, with each folder pinned that stands between what may be written and something mounted in it, or one of `links`: with the
 * folder, a mount could be moved away, and another put in its place.
 */
export function withPins(mounts: readonly Mount[], links: readonly string[] = []): Mount[] {
  const taken = new Set(mounts.map(({ path }) => path));
  const between = [...mounts.map(({ path }) => path), ...links].flatMap((path) => foldersAround(path));
  const pins = [...new Set(between)].filter((path) => !taken.has(path) && isWritable(path, mounts));
  return mountOrder([...mounts, ...pins.map((path): Mount => ({ kind: 'pinned', path }))]);
}

function foldersAround(path: string): string[] {
  const around = dirname(path);
  return around === path ? [] : [around, ...foldersAround(around)];
}

function isWritable(path: string, mounts: readonly Mount[]): boolean {
  const around = kindAround(path, mounts);
  return around === 'writable' || around === 'pinned';
}

/** True where a path of the machine can be seen inside. */
export function isVisible(path: string, mounts: readonly Mount[]): boolean {
  const around = kindAround(path, mounts);
  return around !== 'hidden' && around !== 'private' && around !== 'blank';
}

function kindAround(path: string, mounts: readonly Mount[]): MountKind {
  // Everything is readable to begin with.
  return mounts.findLast((mount) => isWithin(path, mount.path))?.kind ?? 'readable';
}

function isRedundant(kind: MountKind, around: MountKind): boolean {
  switch (kind) {
    case 'readable':
      return around === 'readable';
    case 'writable':
      return around === 'writable' || around === 'pinned';
    case 'hidden':
      return around === 'hidden' || around === 'blank';
    case 'blank':
      return around === 'hidden' || around === 'private' || around === 'blank';
    default:
      return false;
  }
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

/** The words for bwrap that close what is hidden to writes, once all is mounted in it: there, a file would vanish with the command, and nobody would be told. */
export function sealHidden(mounts: readonly Mount[]): string[] {
  return mounts.filter(({ kind }) => kind === 'hidden').flatMap(({ path }) => ['--remount-ro', path]);
}

/** The words for bwrap. What has gone in the meantime is left out, except where the command could not run without it. */
export function renderMount({ kind, path, source = path }: Mount): string[] {
  switch (kind) {
    case 'hidden':
      return ['--tmpfs', path];
    case 'blank':
      return ['--ro-bind', '/dev/null', path];
    case 'private':
      return ['--bind', source, path];
    case 'readable':
      return ['--ro-bind-try', source, path];
    case 'writable':
    case 'pinned':
      return ['--bind-try', source, path];
  }
}
