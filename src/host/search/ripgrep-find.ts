import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { FindOutcome, FindRequest } from '../../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { listWithRipgrep, type RipgrepEnd } from './ripgrep.ts';
import { ownStart } from './ripgrep-words.ts';
import { complaintNotes, oddNamesNote, scopeArguments, scopeNote, startFolder } from './search-scope.ts';

const FIND_TIMEOUT_MS = 20_000;
const STOPPED = { deadline: 'after 20 s', flood: 'at 512 MB of names' };
const MAX_PATH_BYTES = 64 * 1024;

/** The files that a glob accepts, newest first. Errors: throws NoRipgrep, and on an abort. */
export async function findWithRipgrep(request: FindRequest, program: string): Promise<FindOutcome> {
  const { root, includeIgnored, signal } = request;
  const accepted: DatedPath[] = [];
  const base = nearPath(root);
  const start = await startFolder(root, request.below ?? '', includeIgnored);
  const end = await listFiles(
    { program, cwd: root, args: [...scopeArguments(includeIgnored), start], timeoutMs: FIND_TIMEOUT_MS, signal },
    (path) => {
      if (request.accepts(path)) accepted.push({ path, mtimeMs: mtimeOf(base + path) });
    },
  );
  const notes = [
    scopeNote(includeIgnored),
    ...complaintNotes(end.stderr),
    oddNamesNote(accepted.map(({ path }) => path)),
    end.stoppedBy === null ? null : `Stopped ${STOPPED[end.stoppedBy]}: this list is partial.`,
  ].filter((note) => note !== null);
  accepted.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return { files: accepted.slice(0, request.maxResults).map(({ path }) => path), total: accepted.length, notes };
}

interface DatedPath {
  readonly path: string;
  readonly mtimeMs: number;
}

/** What goes before a path below this folder. Where the process works there or above, a relative one: each part of a path costs the system a look-up. */
function nearPath(folder: string): string {
  const near = fromWorkingFolder(folder);
  return near === '' ? '' : `${near.startsWith('..') ? folder : near}/`;
}

function fromWorkingFolder(folder: string): string {
  try {
    return relative('', folder);
  } catch {
    // The working folder of the process was taken away.
    return folder;
  }
}

/** A file that vanished in between sorts last. */
function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export interface Listing {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Hands out each path that `rg --files` lists, relative to where it starts. */
export async function listFiles({ args, ...run }: Listing, onPath: (path: string) => void): Promise<RipgrepEnd> {
  const paths = new ByteSplitter(
    0,
    (bytes, start, end) => onPath(bytes.toString('utf8', start + ownStart(bytes, start), end)),
    MAX_PATH_BYTES,
  );
  return listWithRipgrep({ ...run, args, onOutput: (bytes) => paths.add(bytes) });
}
