import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type GlobFilter, parseGlobFilter } from './plain-glob.ts';
import { type FileSearch, searchBytes } from './plain-bytes.ts';
import { translatePattern } from './plain-pattern.ts';
import type { PlainEvent, PlainGrep, PlainJob } from './plain-thread.ts';
import { walkFiles } from './plain-walk.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const LIST_BATCH = 500;

// The entry of a thread: importing it does the job.
const job = workerData as PlainJob;
if (job.grep === null) listFiles(job);
else searchFiles(job, job.grep);

function tell(event: PlainEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(event);
}

function listFiles(job: PlainJob): void {
  let paths: string[] = [];
  for (const path of pathsOf(job, null)) {
    paths.push(path);
    if (paths.length < LIST_BATCH) continue;
    tell({ type: 'files', paths });
    paths = [];
  }
  tell({ type: 'files', paths });
}

function pathsOf({ scope, file }: PlainJob, filter: GlobFilter | null): Iterable<string> {
  if (file !== null) return [file];
  return walkFiles({ ...scope, filter, onUnreadable: (path) => tell({ type: 'skipped', path, reason: 'unreadable' }) });
}

function searchFiles(job: PlainJob, grep: PlainGrep): void {
  const filter = grep.glob === null ? null : parseGlobFilter(grep.glob);
  if (filter !== null && 'fault' in filter) return tell({ type: 'fault', fault: filter.fault });
  const pattern = translatePattern(grep.pattern, grep);
  if ('fault' in pattern) return tell({ type: 'fault', fault: pattern.fault });
  let matches = 0;
  for (const path of pathsOf(job, filter)) {
    // Of what comes behind enough matches only the number is of use.
    const maxMatches = matches < grep.maxResults ? grep.maxResults : 0;
    matches += searchFile(job, path, { pattern, search: { ...grep, maxMatches } });
  }
}

/** Tells of the matches in a file, and returns how many there are. */
function searchFile({ scope, searched }: PlainJob, path: string, search: FileSearch): number {
  const bytes = readFile(join(scope.root, path), (reason) => tell({ type: 'skipped', path, reason }));
  if (bytes === null) return 0;
  Atomics.add(searched, 0, 1);
  const { matches, event } = searchBytes(path, bytes, search);
  if (event !== null) tell(event);
  return matches;
}

/** The bytes of a file, or null where it is gone, no longer one, or skipped. */
function readFile(path: string, onSkip: (reason: 'unreadable' | 'too large') => void): Buffer | null {
  try {
    // What became a FIFO meanwhile must not block.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (stats.size > MAX_FILE_BYTES) onSkip('too large');
      return stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(fd) : null;
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') onSkip('unreadable');
    return null;
  }
}
