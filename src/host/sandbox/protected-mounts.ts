import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { isPlain } from './visible-places.ts';

const PROTECTED: ReadonlySet<string> = new Set(places.protected);

/** What stands at the root of a workspace and runs later on its own, in whatever letter case. */
export function protectedNames(root: string): string[] {
  return namesIn(root).filter((name) => PROTECTED.has(name.toLowerCase()));
}

/** The same as mounts that cannot be written. `.git` has its own rules; what is a link cannot be mounted over. */
export function protectedMounts(root: string): Mount[] {
  const plain = protectedNames(root).filter((name) => name.toLowerCase() !== '.git' && isPlain(join(root, name)));
  return [...plain.map((name) => ({ kind: 'readable', path: join(root, name) }) as const), ...workflowMounts(root)];
}

function workflowMounts(root: string): Mount[] {
  const folder = join(root, '.github');
  const workflows = join(folder, 'workflows');
  if (!isPlain(folder) || !isPlain(workflows)) return [];
  // The folder around is pinned too: it could be moved away with what is mounted in it, and made anew.
  return [
    { kind: 'pinned', path: folder },
    { kind: 'readable', path: workflows },
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
