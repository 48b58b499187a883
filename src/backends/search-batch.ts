import { createContext, Script } from 'node:vm';
import { searchBytes } from '../host/search/plain-bytes.ts';
import type { TextSearch } from '../host/search/plain-grep.ts';
import type { PlainPattern } from '../host/search/plain-pattern.ts';
import type { PlainEvent } from '../host/search/plain-thread.ts';

export interface SearchBatchOptions {
  readonly pattern: PlainPattern;
  /** `maxMatches` is of all files together. */
  readonly search: TextSearch;
  /** As of performance.now(). */
  readonly endsAtMs: number;
  onEvent(event: PlainEvent): void;
}

// To start with a deadline costs about a millisecond, so files are searched some at a time.
const BATCH_BYTES = 1024 * 1024;

/**
 * Searches contents in this thread with a deadline: a regular expression of JavaScript can run for ever, and a script of node:vm is the
 * one thing that is stopped in the middle of it. Source: nodejs.org, vm, script.runInContext, timeout
 */
export class SearchBatch {
  readonly #options: SearchBatchOptions;
  readonly #timed: (work: () => void, timeoutMs: number) => void;
  #waiting: { readonly path: string; readonly bytes: Buffer }[] = [];
  #waitingBytes = 0;
  #matches = 0;
  #isLate = false;
  #filesSearched = 0;

  constructor(options: SearchBatchOptions) {
    this.#options = options;
    this.#timed = timedRunner();
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  get filesSearched(): number {
    return this.#filesSearched;
  }

  add(path: string, bytes: Buffer): void {
    this.#waiting.push({ path, bytes });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= BATCH_BYTES) this.finish();
  }

  /** Searches what waits. */
  finish(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const leftMs = Math.floor(this.#options.endsAtMs - performance.now());
    if (leftMs < 1) this.#isLate = true;
    if (this.#isLate || batch.length === 0) return;
    try {
      this.#timed(() => batch.forEach(({ path, bytes }) => this.#search(path, bytes)), leftMs);
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown;
      this.#isLate = true;
    }
  }

  #search(path: string, bytes: Buffer): void {
    const { pattern, search, onEvent } = this.#options;
    // Of what comes behind enough matches only the number is of use.
    const maxMatches = this.#matches < search.maxMatches ? search.maxMatches : 0;
    const { matches, event } = searchBytes(path, bytes, { pattern, search: { ...search, maxMatches } });
    this.#filesSearched++;
    this.#matches += matches;
    if (event !== null) onEvent(event);
  }
}

/** It comes from the other context, so it is no Error of this one. */
function isTimeout(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Runs work that is ended at a deadline, wherever it is. */
function timedRunner(): (work: () => void, timeoutMs: number) => void {
  const script = new Script('work()');
  return (work, timeoutMs) => script.runInContext(createContext({ work }), { timeout: timeoutMs });
}
