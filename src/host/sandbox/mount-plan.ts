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
  for (const mount of sorted) if (!isRedundant(mount.kind, kindAround(mount.path, kept))) kept.push(mount);
  return kept;
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
    case 'blank':
      return around === 'hidden' || around === 'private' || around === 'blank';
    default:
      return false;
  }
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
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
