import type { GrepFile, GrepLine } from '../../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { isMatchLine, MATCH_SEPARATOR, readHead, readLine } from './printed-line.ts';
import { BINARY_MESSAGE, filesSearchedIn, ownPath } from './ripgrep-words.ts';

/** What a search found. `filesSearched` is null where it did not come to its end. */
export interface FoundMatches {
  readonly files: readonly GrepFile[];
  readonly totalMatches: number;
  readonly totalFiles: number;
  readonly filesSearched: number | null;
  /** Not all matches of some file were counted. */
  readonly isLowerBound?: true;
  readonly notes: readonly string[];
}

export interface CollectorOptions {
  readonly maxMatches: number;
  readonly contextLines: number;
  /** How many matching lines rg was told to read of one file. */
  readonly maxPerFile: number;
  accepts(path: string): boolean;
  /** Asked for a file with a NUL in it: whether it counts as text all the same. */
  isText(path: string): boolean;
  /** rg was told to take every file for text, so each that matches is asked for. */
  readonly takesAllForText?: boolean;
}

/** rg's arguments for what this reads. */
export const PRINTED_ARGUMENTS = [
  '--heading',
  '--null',
  '--with-filename',
  '--line-number',
  '--column',
  `--field-match-separator=${MATCH_SEPARATOR}`,
  '--stats',
] as const;

const NEWLINE = 0x0a;
const DOT = 0x2e;
const DASH = 0x2d;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

interface OpenFile {
  readonly path: string;
  readonly isAccepted: boolean;
  /** Its lines may be among those that are shown. */
  readonly isWanted: boolean;
  readonly lines: GrepLine[];
  kept: number;
  seen: number;
  lastMatch: number;
  isFull: boolean;
}

/**
 * Reads what rg prints and keeps the first matches by path in bounded memory, whatever the order in which rg's threads find them.
 * A file is printed as `./path NUL`, its lines, and a blank line; a line starts with its number, so none is taken for anything else.
 */
export class MatchCollector {
  readonly #options: CollectorOptions;
  readonly #splitter = new ByteSplitter(NEWLINE, (...item) => this.#readLine(...item), MAX_LINE_BYTES);
  readonly #kept: GrepFile[] = [];
  #keptMatches = 0;
  #current: OpenFile | null = null;
  /** The start of a path or message that holds line ends. */
  #pending = '';
  #totalMatches = 0;
  #totalFiles = 0;
  #filesSearched: number | null = null;
  #binaries = 0;
  #cappedFiles = 0;
  #textWithNul: string[] = [];

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  add(bytes: Buffer): void {
    this.#splitter.add(bytes);
  }

  /** The search is over. Returns the text files with a NUL, in which rg counts lines wrongly: to be searched again, with `--text`. */
  endSearch(): readonly string[] {
    // A search that was stopped leaves its last file without an end.
    this.#endFile();
    // Only the first search sees all files.
    this.#filesSearched ??= filesSearchedIn(this.#pending);
    this.#pending = '';
    const again = this.#textWithNul;
    this.#textWithNul = [];
    return again;
  }

  finish(): FoundMatches {
    return {
      files: this.#kept,
      totalMatches: this.#totalMatches,
      totalFiles: this.#totalFiles,
      filesSearched: this.#filesSearched,
      ...(this.#cappedFiles === 0 ? {} : { isLowerBound: true }),
      notes: this.#notes(),
    };
  }

  #notes(): string[] {
    const capped = `Only the first ${this.#options.maxPerFile} matching lines were counted in ${filesOf(this.#cappedFiles)}.`;
    return [binaryNote(this.#binaries), this.#cappedFiles === 0 ? null : capped].filter((note) => note !== null);
  }

  #readLine(bytes: Buffer, start: number, end: number, missing: number): void {
    if (this.#current === null || this.#pending !== '' || bytes[start] === DOT) this.#readHeading(bytes, start, end, missing);
    else if (start === end) this.#endFile();
    else if (bytes[start] !== DASH) this.#readPrinted(this.#current, bytes, start, end, missing);
  }

  /** A path and the first line behind it, or a message about a file, or statistics. */
  #readHeading(bytes: Buffer, start: number, end: number, missing: number): void {
    const nul = this.#current === null ? bytes.indexOf(0, start) : -1;
    if (nul !== -1 && nul < end) {
      const file = this.#startFile(this.#pending + bytes.toString('utf8', start, nul));
      this.#pending = '';
      this.#readPrinted(file, bytes, nul + 1, end, missing);
      return;
    }
    const text = this.#pending + bytes.toString('utf8', start, end);
    const path = BINARY_MESSAGE.exec(text)?.[1];
    if (path === undefined) {
      this.#pending = text === '' ? '' : `${text}\n`;
      return;
    }
    this.#pending = '';
    this.#takeBinary(this.#current?.path ?? ownPath(path));
    this.#current = null;
  }

  #startFile(name: string): OpenFile {
    const path = ownPath(name);
    const isBinary = this.#options.takesAllForText === true && !this.#options.isText(path);
    const isAccepted = this.#options.accepts(path) && !isBinary;
    if (isBinary) this.#binaries++;
    const isRoom = this.#keptMatches < this.#options.maxMatches || path < (this.#kept.at(-1)?.path ?? '');
    const file = { path, isAccepted, isWanted: isAccepted && isRoom, lines: [], kept: 0, seen: 0, lastMatch: 0, isFull: false };
    this.#current = file;
    return file;
  }

  #readPrinted(file: OpenFile, bytes: Buffer, start: number, end: number, missing: number): void {
    const isMatch = isMatchLine(bytes, start);
    if (isMatch) file.seen++;
    if (!file.isWanted || file.isFull) return;
    const { maxMatches, contextLines } = this.#options;
    const head = readHead(bytes, start);
    if (isMatch && file.kept >= maxMatches) {
      // What follows a match that is not kept is not context of one that is.
      file.isFull = true;
      return;
    }
    if (!isMatch && file.kept >= maxMatches && head.line > file.lastMatch + contextLines) return;
    file.lines.push(readLine(head, bytes, end, missing));
    if (!isMatch) return;
    file.kept++;
    file.lastMatch = head.line;
  }

  #takeBinary(path: string): void {
    if (!this.#options.accepts(path)) return;
    if (this.#options.isText(path)) this.#textWithNul.push(path);
    else this.#binaries++;
  }

  #endFile(): void {
    const file = this.#current;
    this.#current = null;
    if (file === null || !file.isAccepted) return;
    const { path, lines, seen: matches } = file;
    this.#totalMatches += matches;
    this.#totalFiles++;
    if (matches >= this.#options.maxPerFile) this.#cappedFiles++;
    if (lines.length === 0) return;
    const at = this.#kept.findIndex((kept) => kept.path > path);
    this.#kept.splice(at === -1 ? this.#kept.length : at, 0, { path, matches, lines });
    this.#keptMatches += matches;
    // The last file goes where the others are enough.
    for (let last = this.#kept.at(-1); last !== undefined && this.#keptMatches - last.matches >= this.#options.maxMatches; ) {
      this.#kept.pop();
      this.#keptMatches -= last.matches;
      last = this.#kept.at(-1);
    }
  }
}

/** What a search says of binary files that match. */
export function binaryNote(count: number): string | null {
  return count === 0 ? null : `Skipped as binary, though they match: ${filesOf(count)}.`;
}

function filesOf(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}
