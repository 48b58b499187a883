import { basename, dirname, join } from 'node:path';
import type { FileAccess, FindOutcome, FindRequest, GrepOutcome, GrepRequest, SearchAccess } from '../core/ports.ts';
import { parseGlobFilter } from '../host/search/plain-glob.ts';
import { FoundFiles, SkippedFiles } from '../host/search/plain-outcome.ts';
import { translatePattern } from '../host/search/plain-pattern.ts';
import { oddNamesNote, scopeNote } from '../host/search/search-scope.ts';
import { type FileWalk, walkFileAccess } from './file-walk.ts';
import { SearchBatch } from './search-batch.ts';

const FIND_TIMEOUT_MS = 20_000;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** A search on any FileAccess: what a backend of one's own need not write. It answers as the search of this machine does. */
export function createFileSearch(files: FileAccess): SearchAccess {
  return { find: (request) => find(files, request), grep: (request) => grep(files, request) };
}

async function find(files: FileAccess, request: FindRequest): Promise<FindOutcome> {
  const { root, includeIgnored, signal, maxResults } = request;
  const deadline = AbortSignal.timeout(FIND_TIMEOUT_MS);
  const skipped = new SkippedFiles();
  const walk = walkOf(files, { root, includeIgnored, signal: AbortSignal.any([signal, deadline]) }, skipped);
  const accepted: { readonly path: string; readonly mtimeMs: number }[] = [];
  for await (const { path, stat } of walkFileAccess({ ...walk, start: await startOf(files, request) }))
    if (request.accepts(path)) accepted.push({ path, mtimeMs: stat.mtimeMs });
  signal.throwIfAborted();
  accepted.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  const partial = deadline.aborted ? [`Stopped after ${FIND_TIMEOUT_MS / 1000} s: this list is partial.`] : [];
  const notes = [scopeNote(includeIgnored), ...skipped.notes(), oddNamesNote(accepted.map(({ path }) => path)), ...partial];
  return {
    files: accepted.slice(0, maxResults).map(({ path }) => path),
    total: accepted.length,
    notes: notes.filter((note) => note !== null),
  };
}

/** The folder below the root, where that is one and is reached by no link; else the root. */
async function startOf(files: FileAccess, { root, below = '' }: FindRequest): Promise<string> {
  const start = below.replace(/^\.?\/|\/$/g, '');
  const isFolder = await files.stat(join(root, start)).then(
    ({ kind }) => kind === 'directory',
    () => false,
  );
  return isFolder ? start : '';
}

async function grep(files: FileAccess, request: GrepRequest): Promise<GrepOutcome> {
  const { path, includeIgnored, timeoutMs, signal, maxResults } = request;
  const { kind } = await files.stat(path);
  const isFile = kind === 'file';
  const filter = request.glob === null ? null : parseGlobFilter(request.glob);
  if (filter !== null && 'fault' in filter) return faulty(filter.fault);
  const pattern = translatePattern(request.pattern, request);
  if ('fault' in pattern) return faulty(pattern.fault);
  const deadline = AbortSignal.timeout(timeoutMs);
  const skipped = new SkippedFiles();
  const found = new FoundFiles(request);
  const batch = new SearchBatch({
    search: { contextLines: request.contextLines, countsOnly: request.countsOnly ?? false, maxMatches: maxResults },
    pattern,
    endsAtMs: performance.now() + timeoutMs,
    onEvent: (event) => {
      skipped.take(event);
      found.take(event);
    },
  });
  const root = isFile ? dirname(path) : path;
  const walk = walkOf(files, { root, includeIgnored, signal: AbortSignal.any([signal, deadline]) }, skipped);
  const paths = isFile ? [{ path: basename(path) }] : walkFileAccess({ ...walk, filter });
  for await (const { path: name } of paths) {
    const bytes = await readFile(files, join(root, name), (reason) => skipped.take({ type: 'skipped', path: name, reason }));
    if (bytes !== null) batch.add(name, bytes);
    if (batch.isLate) break;
  }
  batch.finish();
  signal.throwIfAborted();
  return {
    ...found.outcome(),
    filesSearched: batch.filesSearched,
    stoppedBy: batch.isLate || deadline.aborted ? 'deadline' : null,
    notes: [...(isFile ? [] : [scopeNote(includeIgnored, ['binary files'])]), ...skipped.notes()],
  };
}

function walkOf(files: FileAccess, scope: Pick<FileWalk, 'root' | 'includeIgnored' | 'signal'>, skipped: SkippedFiles): FileWalk {
  const onUnreadable = (path: string): void => skipped.take({ type: 'skipped', path, reason: 'unreadable' });
  return { ...scope, files, start: '', filter: null, onUnreadable };
}

async function readFile(
  files: FileAccess,
  path: string,
  onSkip: (reason: 'unreadable' | 'too large') => void,
): Promise<Buffer | null> {
  try {
    if ((await files.stat(path)).sizeBytes > MAX_FILE_BYTES) {
      onSkip('too large');
      return null;
    }
    return Buffer.from(await files.read(path));
  } catch {
    onSkip('unreadable');
    return null;
  }
}

function faulty(fault: string): GrepOutcome {
  return { files: [], totalMatches: 0, totalFiles: 0, filesSearched: 0, stoppedBy: null, notes: [], fault };
}
