import { isAbsolute, join, relative, sep } from 'node:path';
import picomatch from 'picomatch';

export interface GlobTarget {
  /** Absolute: where the search starts. */
  readonly root: string;
  /** Relative to the root. */
  readonly pattern: string;
}

/** Splits an absolute pattern, or one that leads out with `..`, into a folder to search and a pattern below it. */
export function globTarget(root: string, pattern: string): GlobTarget {
  const plain = pattern.replace(/^(?:\.\/)+/, '');
  const isOutside = isAbsolute(plain) || plain.startsWith('../');
  if (!isOutside) return { root, pattern: plain };
  const full = isAbsolute(plain) ? plain : join(root, plain);
  // Within the root it stays relative to the root, so that answers keep one frame.
  const below = relative(root, full);
  if (isAbsolute(plain) && below !== '' && below !== '..' && !below.startsWith(`..${sep}`)) return { root, pattern: below };
  const segments = full.split('/');
  const firstMagic = segments.findIndex((segment) => /[*?[{]/.test(segment));
  const depth = firstMagic === -1 ? segments.length - 1 : firstMagic;
  return { root: segments.slice(0, depth).join('/') || '/', pattern: segments.slice(depth).join('/') };
}

/** Tests paths relative to the root. A pattern that is a path itself matches that path, whatever brackets its names hold. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const options = { dot: true, noextglob: true, nonegate: true, strictBrackets: false };
  const matches = picomatch(escapeParentheses(pattern), options);
  return (path) => path === pattern || matches(path);
}

/** `(group)` is a folder's name here; picomatch would take it for a regular expression's group. */
function escapeParentheses(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)[()]/g, '\\$&');
}
