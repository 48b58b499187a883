import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import names from '../files/protected-names.json' with { type: 'json' };
import places from './places.json' with { type: 'json' };
import { keep, type OpenPlaces, type Protection, together } from './protection.ts';
import { entryAt, existing } from './visible-places.ts';

const { startUpOfHome, gitSettings } = places;
const PROTECTED: ReadonlySet<string> = new Set([...names.folders, ...names.files]);
/** Deeper ones: only these are known to run by their place. */
export const NESTED: readonly string[] = names.nested;

/** What stands at the root of a workspace and runs later on its own, in whatever letter case. */
export function protectedNames(root: string): string[] {
  return namesIn(root).filter((name) => PROTECTED.has(name.toLowerCase()));
}

/** The same, kept as it is. `.git` has its own rules. */
export function namesProtection(root: string, places: OpenPlaces): Protection {
  const present = protectedNames(root).filter((name) => name.toLowerCase() !== '.git');
  const nested = NESTED.filter((name) => entryAt(join(root, name)) !== null);
  return together([...present, ...nested].map((name) => keep(join(root, name), places)));
}

/** What the home starts by itself and that is a link into a folder that commands may write, as where a person keeps such files in a repository. */
export function homeLinksProtection(places: OpenPlaces): Protection {
  const names = [...protectedNames(places.home), ...startUpOfHome, ...gitSettings];
  const linked = [...new Set(names)].map((name) => join(places.home, name)).filter((path) => (existing(path) ?? path) !== path);
  return together(linked.map((path) => keep(path, places)));
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
