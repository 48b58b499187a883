import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a folder that may not be there yet really stands: the links of its nearest existing parent are followed. Takes an absolute path. */
export function realPlaceOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlaceOf(parent), basename(path));
  }
}
