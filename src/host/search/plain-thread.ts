import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GrepFile } from '../../core/ports.ts';
import type { WalkScope } from './plain-walk.ts';

/** What a thread is to search for in files. */
export interface PlainGrep {
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly contextLines: number;
  readonly countsOnly: boolean;
  readonly maxResults: number;
}

/** What a thread is to do: list files, or search them. */
export interface PlainJob {
  readonly scope: WalkScope;
  /** The one file to look at instead of a folder, relative to the root. */
  readonly file: string | null;
  readonly grep: PlainGrep | null;
  /** Holds how many files were searched, at any time. */
  readonly searched: Int32Array;
}

/** Why a file or folder was left out. `too complex`: JavaScript gave up on the pattern there. */
export type SkipReason = 'unreadable' | 'binary' | 'too large' | 'too complex';

/** What a thread tells as it goes: names of files, a file with matches, what it left out and why, or what is wrong with the request. */
export type PlainEvent =
  | { readonly type: 'files'; readonly paths: readonly string[] }
  | { readonly type: 'match'; readonly file: GrepFile }
  | { readonly type: 'skipped'; readonly path: string; readonly reason: SkipReason }
  | { readonly type: 'fault'; readonly fault: string };

export interface ThreadOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onEvent(event: PlainEvent): void;
}

/**
 * Runs a job in a thread of its own, which is ended at the deadline: a regular expression of JavaScript can run for ever, and nothing else
 * stops it. What was told by then stays. Errors: throws on an abort, and what the thread threw.
 */
export async function runPlainThread(job: PlainJob, { timeoutMs, signal, onEvent }: ThreadOptions): Promise<'deadline' | null> {
  signal.throwIfAborted();
  // Its neighbour is .ts in the sources and .js in what is built of them.
  const entry = new URL(`./plain-worker${extname(import.meta.url)}`, import.meta.url);
  // Options of this process, such as --input-type, may be none that an entry can be started with.
  const worker = new Worker(entry, { workerData: job, execArgv: [] });
  let stoppedBy: 'deadline' | null = null;
  const end = (): void => void worker.terminate();
  const deadline = setTimeout(() => {
    stoppedBy = 'deadline';
    end();
  }, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  worker.on('message', onEvent);
  try {
    await once(worker, 'exit');
    signal.throwIfAborted();
    return stoppedBy;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
}
