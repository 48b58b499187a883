import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeScratchFolder, removeScratchFolder } from '../files/scratch-folder.ts';
import { isRunning, ownProcess } from '../process/process-identity.ts';
import { entryAt } from './visible-places.ts';

const NAME = /^wield-scratch-(\d+)-(\d+)-(\d+)-/;

/** Makes the scratch folder of a session, and takes away those whose sessions were killed. */
export function makeSessionScratch(): string {
  for (const folder of abandoned()) if (isOurs(folder)) removeScratchFolder(folder);
  const { pid, startTime } = ownProcess();
  return makeScratchFolder(`wield-scratch-${processSpace()}-${pid}-${startTime ?? 0}-`);
}

function abandoned(): string[] {
  const space = processSpace();
  return readdirSync(tmpdir())
    .filter((name) => {
      const [, owner, pid, startTime] = NAME.exec(name) ?? [];
      // A process of another container cannot be seen from here, so its folder is left alone.
      if (owner === undefined || owner !== space || startTime === undefined) return false;
      return !isRunning({ pid: Number(pid), startTime: startTime === '0' ? null : startTime });
    })
    .map((name) => join(tmpdir(), name));
}

/** In a folder that all users share, a name says nothing. */
function isOurs(folder: string): boolean {
  const entry = entryAt(folder);
  return entry !== null && entry.isDirectory() && entry.uid === process.getuid?.();
}

/** Tells where a process number means the same. Source: namespaces(7) */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
