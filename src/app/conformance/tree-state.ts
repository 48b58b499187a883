import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeState } from '../../conformance/bench.ts';

/** All entries of a folder with what changes when anything about one does. The change time tells also of what is set back afterwards. */
export function readTree(folder: string): TreeState {
  const state = new Map<string, string>();
  visit(folder, state);
  return state;
}

function visit(path: string, state: Map<string, string>): void {
  let isFolder = false;
  try {
    const stat = lstatSync(path, { bigint: true });
    isFolder = stat.isDirectory();
    state.set(path, [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(' '));
    if (isFolder) for (const name of readdirSync(path)) visit(join(path, name), state);
  } catch {
    // It went away meanwhile, which is a change like any other.
    state.set(path, 'unreadable');
  }
}
