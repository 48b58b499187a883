import { realpathSync } from 'node:fs';
import { parentOf, type RawPath, systemPath } from './raw-path.ts';

/** True where the way to a path is not the one that was recorded. */
export function isReachedByLink(path: RawPath): boolean {
  try {
    return realpathSync(systemPath(parentOf(path)), { encoding: 'latin1' }) !== parentOf(path);
  } catch {
    // Where there is no folder nothing can be written.
    return false;
  }
}
