import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FindOutcome, FindRequest, GrepFile, GrepOutcome, GrepRequest, SearchAccess } from '../../core/ports.ts';
import { binaryNote } from './match-collector.ts';
import { type PlainEvent, type PlainJob, runPlainThread, type SkipReason } from './plain-thread.ts';
import { oddNamesNote, scopeNote, startFolder } from './search-scope.ts';

const FIND_TIMEOUT_MS = 20_000;

export interface PlainSearchOptions {
  /** How long a search for names may take. */
  readonly findTimeoutMs?: number;
}

/** A search without ripgrep, for machines on which none can be started: slower, with the same answers but for what JavaScript cannot match. */
export function createPlainSearch({ findTimeoutMs = FIND_TIMEOUT_MS }: PlainSearchOptions = {}): SearchAccess {
  return { find: (request) => find(request, findTimeoutMs), grep };
}

async function find(request: FindRequest, timeoutMs: number): Promise<FindOutcome> {
  const { root, below = '', includeIgnored, signal } = request;
  const accepted: { readonly path: string; readonly mtimeMs: number }[] = [];
  const skipped = new SkippedFiles();
  const start = (await startFolder(root, below, includeIgnored)).replace(/^\.\/|\/$/g, '');
  const stoppedBy = await runPlainThread(newJob({ scope: { root, start, includeIgnored }, file: null, grep: null }), {
    timeoutMs,
    signal,
    onEvent: (event) => {
      skipped.take(event);
      if (event.type !== 'files') return;
      for (const path of event.paths) if (request.accepts(path)) accepted.push({ path, mtimeMs: mtimeOf(`${root}/${path}`) });
    },
  });
  accepted.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  const partial = stoppedBy === null ? [] : [`Stopped after ${timeoutMs / 1000} s: this list is partial.`];
  return {
    files: accepted.slice(0, request.maxResults).map(({ path }) => path),
    total: accepted.length,
    notes: [scopeNote(includeIgnored), ...skipped.notes(), oddNamesNote(accepted.map(({ path }) => path)), ...partial].filter(
      (note) => note !== null,
    ),
  };
}

function newJob(job: Omit<PlainJob, 'searched'>): PlainJob {
  return { ...job, searched: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** A file that vanished in between sorts last. */
function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function grep(request: GrepRequest): Promise<GrepOutcome> {
  const { path, includeIgnored, timeoutMs, signal } = request;
  const isFile = statSync(path).isFile();
  const found = new FoundFiles(request);
  const skipped = new SkippedFiles();
  const job = newJob({
    scope: { root: isFile ? dirname(path) : path, start: '', includeIgnored },
    file: isFile ? basename(path) : null,
    grep: searchOf(request),
  });
  const stoppedBy = await runPlainThread(job, {
    timeoutMs,
    signal,
    onEvent: (event) => {
      skipped.take(event);
      found.take(event);
    },
  });
  return {
    ...found.outcome(),
    filesSearched: Atomics.load(job.searched, 0),
    stoppedBy,
    notes: [...(isFile ? [] : [scopeNote(includeIgnored, ['binary files'])]), ...skipped.notes()],
  };
}

/** What a thread can be sent: no signal, no function. */
function searchOf({ pattern, glob, ignoreCase, multiline, contextLines, countsOnly = false, maxResults }: GrepRequest) {
  return { pattern, glob, ignoreCase, multiline, contextLines, countsOnly, maxResults };
}

/** Files come sorted by path, so that the first that are enough are kept. */
class FoundFiles {
  readonly #countsOnly: boolean;
  readonly #maxResults: number;
  readonly #kept: GrepFile[] = [];
  #keptMatches = 0;
  #totalMatches = 0;
  #totalFiles = 0;
  #fault: string | null = null;

  constructor({ countsOnly = false, maxResults }: GrepRequest) {
    this.#countsOnly = countsOnly;
    this.#maxResults = maxResults;
  }

  take(event: PlainEvent): void {
    if (event.type === 'fault') this.#fault = event.fault;
    if (event.type !== 'match') return;
    const { file } = event;
    if ((this.#countsOnly ? this.#kept.length : this.#keptMatches) < this.#maxResults) {
      this.#kept.push(file);
      this.#keptMatches += file.matches;
    }
    this.#totalMatches += file.matches;
    this.#totalFiles++;
  }

  outcome(): Pick<GrepOutcome, 'files' | 'totalMatches' | 'totalFiles' | 'fault'> {
    return { files: this.#kept, totalMatches: this.#totalMatches, totalFiles: this.#totalFiles, fault: this.#fault };
  }
}

/** What was left out, to be said in notes. */
class SkippedFiles {
  readonly #paths: Record<SkipReason, string[]> = { unreadable: [], binary: [], 'too large': [], 'too complex': [] };

  take(event: PlainEvent): void {
    if (event.type === 'skipped') this.#paths[event.reason].push(event.path);
  }

  notes(): string[] {
    return [
      skippedNote('not readable', this.#paths.unreadable),
      binaryNote(this.#paths.binary.length),
      skippedNote('larger than 256 MB', this.#paths['too large']),
      skippedNote('too much for this pattern without ripgrep', this.#paths['too complex']),
    ].filter((note) => note !== null);
  }
}

function skippedNote(why: string, paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `Skipped, ${why}: ${paths.slice(0, 3).join(', ')}${more}.`;
}
