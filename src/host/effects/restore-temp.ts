import { unlinkSync } from 'node:fs';
import { contentHash } from './content-store.ts';
import { isReachedByLink } from './reached-by-link.ts';
import { joinRaw, parentOf, type RawPath, systemPath } from './raw-path.ts';
import { lstatOrNull } from './read-entry.ts';

const NAME_DIGITS = 16;

/** Where what is to stand at a path is made first. It has one such place, so that what a killed restore left is found by its name alone. */
export function tempBeside(path: RawPath): RawPath {
  const digits = contentHash(Buffer.from(path, 'latin1')).slice(0, NAME_DIGITS);
  return joinRaw(parentOf(path), `.wield-undo-${digits}`);
}

/** Removes what a restore had made for a path and not put in place. What cannot be removed, or is reached through a link, stays. */
export function removeTempOf(path: RawPath): void {
  const temp = tempBeside(path);
  try {
    const stats = lstatOrNull(temp);
    if (stats === null || !(stats.isFile() || stats.isSymbolicLink()) || isReachedByLink(temp)) return;
    unlinkSync(systemPath(temp));
  } catch {
    // It is in nobody's way: should the path be made again, that is told as the failure of this path.
  }
}
