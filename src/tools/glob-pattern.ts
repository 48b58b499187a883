import { isAbsolute, join, normalize, relative, sep } from 'node:path';

export interface GlobTarget {
  /** Absolute: where the search starts. */
  readonly root: string;
  /** Relative to the root. */
  readonly pattern: string;
  /** The folder, relative to the root, that the pattern names before its first wildcard; empty where it names none. */
  readonly below: string;
}

const MAGIC = /[*?[{\\]/;

/** Splits an absolute pattern, or one that leads out with `..`, into a folder to search and a pattern below it. */
export function globTarget(root: string, pattern: string): GlobTarget {
  const plain = normalize(pattern);
  const isOutside = isAbsolute(plain) || plain === '..' || plain.startsWith('../');
  if (!isOutside) return targetBelow(root, plain);
  const full = isAbsolute(plain) ? plain : join(root, plain);
  // Within the root it stays relative to the root, so that answers keep one frame.
  const below = relative(root, full);
  if (isAbsolute(plain) && below !== '' && below !== '..' && !below.startsWith(`..${sep}`)) return targetBelow(root, below);
  const segments = full.split('/');
  const depth = literalDepth(segments);
  return { root: segments.slice(0, depth).join('/') || '/', pattern: segments.slice(depth).join('/'), below: '' };
}

function targetBelow(root: string, pattern: string): GlobTarget {
  const segments = pattern.split('/');
  return { root, pattern, below: segments.slice(0, literalDepth(segments)).join('/') };
}

/** How many leading segments are folders by name. */
function literalDepth(segments: readonly string[]): number {
  const firstMagic = segments.findIndex((segment) => MAGIC.test(segment));
  return firstMagic === -1 ? segments.length - 1 : firstMagic;
}
