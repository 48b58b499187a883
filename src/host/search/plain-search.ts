import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FindOutcome, FindRequest, GrepOutcome, GrepRequest, SearchAccess } from '../../core/ports.ts';
import { FoundFiles, SkippedFiles } from './plain-outcome.ts';
import { type PlainJob, runPlainThread } from './plain-thread.ts';
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
