import type { GrepFile } from '../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import type { FoundMatches } from './match-collector.ts';

const NEWLINE = 0x0a;
const MAX_RECORD_BYTES = 64 * 1024;

/** Reads `rg --count --null --stats`: how many lines match in each file. Keeps the first files by path and counts all. */
export class CountCollector {
  readonly #maxFiles: number;
  readonly #accepts: (path: string) => boolean;
  readonly #splitter = new ByteSplitter(NEWLINE, (line) => this.#readLine(line.toString('utf8')), MAX_RECORD_BYTES);
  readonly #kept: GrepFile[] = [];
  /** The start of a record whose path holds a line end. */
  #pending = '';
  #totalMatches = 0;
  #totalFiles = 0;
  #filesSearched: number | null = null;

  constructor(maxFiles: number, accepts: (path: string) => boolean) {
    this.#maxFiles = maxFiles;
    this.#accepts = accepts;
  }

  add(bytes: Uint8Array): void {
    this.#splitter.add(bytes);
  }

  finish(): FoundMatches {
    return {
      files: this.#kept,
      totalMatches: this.#totalMatches,
      totalFiles: this.#totalFiles,
      filesSearched: this.#filesSearched,
      notes: [],
    };
  }

  #readLine(line: string): void {
    const record = this.#pending + line;
    const end = record.lastIndexOf('\0');
    if (end === -1) {
      // The statistics follow the last record.
      const searched = /^(\d+) files searched$/.exec(line)?.[1];
      if (searched !== undefined) this.#filesSearched = Number(searched);
      this.#pending = `${record}\n`;
      return;
    }
    this.#pending = '';
    this.#take(record.slice(0, end).replace(/^\.\//, ''), Number(record.slice(end + 1)));
  }

  #take(path: string, matches: number): void {
    if (!this.#accepts(path)) return;
    this.#totalMatches += matches;
    this.#totalFiles++;
    if (this.#kept.length === this.#maxFiles && path > (this.#kept.at(-1)?.path ?? '')) return;
    const at = this.#kept.findIndex((kept) => kept.path > path);
    this.#kept.splice(at === -1 ? this.#kept.length : at, 0, { path, matches, lines: [] });
    if (this.#kept.length > this.#maxFiles) this.#kept.pop();
  }
}
