import type { GrepFile } from '../../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { filesSearchedIn, ownPath } from './ripgrep-words.ts';
import { binaryNote, type FoundMatches } from './match-collector.ts';

const NEWLINE = 0x0a;
const MAX_RECORD_BYTES = 64 * 1024;

export interface CountOptions {
  readonly maxFiles: number;
  accepts(path: string): boolean;
  /** rg was told to count in binaries too, since it takes any NUL for the mark of one. */
  isText(path: string): boolean;
}

/** Reads `rg --count --null --stats`: how many lines match in each file. Keeps the first files by path and counts all. */
export class CountCollector {
  readonly #maxFiles: number;
  readonly #accepts: CountOptions['accepts'];
  readonly #isText: CountOptions['isText'];
  readonly #splitter = new ByteSplitter(
    NEWLINE,
    (bytes, start, end) => this.#readLine(bytes.toString('utf8', start, end)),
    MAX_RECORD_BYTES,
  );
  readonly #kept: GrepFile[] = [];
  /** The start of a record whose path holds a line end. */
  #pending = '';
  #totalMatches = 0;
  #totalFiles = 0;
  #binaries = 0;
  #filesSearched: number | null = null;

  constructor({ maxFiles, accepts, isText }: CountOptions) {
    this.#maxFiles = maxFiles;
    this.#accepts = accepts;
    this.#isText = isText;
  }

  add(bytes: Buffer): void {
    this.#splitter.add(bytes);
  }

  finish(): FoundMatches {
    return {
      files: this.#kept,
      totalMatches: this.#totalMatches,
      totalFiles: this.#totalFiles,
      filesSearched: this.#filesSearched,
      notes: [binaryNote(this.#binaries)].filter((note) => note !== null),
    };
  }

  #readLine(line: string): void {
    const record = this.#pending + line;
    const end = record.lastIndexOf('\0');
    if (end === -1) {
      // The statistics follow the last record.
      this.#filesSearched ??= filesSearchedIn(line);
      this.#pending = `${record}\n`;
      return;
    }
    this.#pending = '';
    this.#take(ownPath(record.slice(0, end)), Number(record.slice(end + 1)));
  }

  #take(path: string, matches: number): void {
    if (!this.#accepts(path)) return;
    if (!this.#isText(path)) {
      this.#binaries++;
      return;
    }
    this.#totalMatches += matches;
    this.#totalFiles++;
    if (this.#kept.length === this.#maxFiles && path > (this.#kept.at(-1)?.path ?? '')) return;
    const at = this.#kept.findIndex((kept) => kept.path > path);
    this.#kept.splice(at === -1 ? this.#kept.length : at, 0, { path, matches, lines: [] });
    if (this.#kept.length > this.#maxFiles) this.#kept.pop();
  }
}
