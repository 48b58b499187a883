import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { existing } from './visible-places.ts';

const MAX_DEPTH = 3;
const MAX_ENTRIES = 2000;
const SKIPPED = new Set(['node_modules', '.git']);

/**
 * The files of this machine's local sockets: a read-only mount does not keep anyone from connecting to one. A socket that was bound by
 * a relative path is known by its name only, and looked for in the upper folders of what is given. Source: proc(5), /proc/net/unix.
 */
export function hostSockets(roots: readonly string[]): string[] {
  const names = socketNames();
  const absolute = names.filter((name) => name.startsWith('/')).map(existing);
  const relative = new Set(names.filter((name) => !name.startsWith('/')).map((name) => basename(name)));
  const found = relative.size === 0 ? [] : roots.flatMap((root) => socketsBelow(root, relative));
  return [...new Set([...absolute.filter((path) => path !== null), ...found])];
}

function socketNames(): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n').slice(1);
    // A name that begins with @ is an abstract one, which has no file.
    return lines.flatMap((line) => /^(?:\S+ +){6}\d+ ([^@].*)$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}

function socketsBelow(root: string, names: ReadonlySet<string>): string[] {
  const found: string[] = [];
  let left = MAX_ENTRIES;
  let folders = [root];
  for (let depth = 0; depth <= MAX_DEPTH && left > 0; depth++) {
    const entries = folders.flatMap((folder) => (left > 0 ? entriesOf(folder) : []));
    left -= entries.length;
    found.push(...entries.filter((entry) => entry.isSocket() && names.has(entry.name)).map(pathOf));
    folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(pathOf);
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}
