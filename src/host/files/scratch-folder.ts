import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();
let isWatching = false;

/** Makes a folder for a while. It is taken away by `removeScratchFolder`, at the latest when the program exits. */
export function makeScratchFolder(prefix: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), prefix));
  made.add(folder);
  // One listener for all: a program may open many sessions.
  if (!isWatching) process.once('exit', () => made.forEach(removeScratchFolder));
  isWatching = true;
  return folder;
}

export function removeScratchFolder(folder: string): void {
  made.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}
