import type { GrepFile, GrepLine } from '../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { decodeText, kindOfEvent, parseCutEvent, parseEvent, type RipgrepEvent } from './ripgrep-events.ts';

/** What a search found. `filesSearched` is null where it did not come to its end. */
export interface FoundMatches {
  readonly files: readonly GrepFile[];
  readonly totalMatches: number;
  readonly totalFiles: number;
  readonly filesSearched: number | null;
  readonly notes: readonly string[];
}

export interface CollectorOptions {
  readonly maxMatches: number;
  readonly contextLines: number;
  /** How many matching lines rg was told to read of one file. */
  readonly maxPerFile: number;
  accepts(path: string): boolean;
}

const NEWLINE = 0x0a;
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
// Of a longer line only a piece around its match is kept.
const MAX_LINE_CHARS = 4000;
const BEFORE_MATCH_CHARS = 1000;

interface OpenFile {
  readonly path: string;
  readonly lines: GrepLine[];
  /** Matching lines kept, and seen. */
  kept: number;
  seen: number;
  lastMatch: number;
  isFull: boolean;
}

/** Reads `rg --json` and keeps the first matches by path in bounded memory, whatever the order in which rg's threads find them. */
export class MatchCollector {
  readonly #options: CollectorOptions;
  readonly #splitter = new ByteSplitter(NEWLINE, (line, isCut) => this.#readLine(line, isCut), MAX_EVENT_BYTES);
  readonly #kept: GrepFile[] = [];
  #keptMatches = 0;
  #current: OpenFile | null = null;
  #totalMatches = 0;
  #totalFiles = 0;
  #filesSearched: number | null = null;
  #binaries = 0;
  #cappedFiles = 0;
  #longLines = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  add(bytes: Uint8Array): void {
    this.#splitter.add(bytes);
  }

  finish(): FoundMatches {
    // A search that was stopped leaves its last file without an end.
    if (this.#current !== null) this.#close(this.#current, this.#current.seen);
    return {
      files: this.#kept,
      totalMatches: this.#totalMatches,
      totalFiles: this.#totalFiles,
      filesSearched: this.#filesSearched,
      notes: this.#notes(),
    };
  }

  #notes(): string[] {
    const { maxPerFile } = this.#options;
    return [
      this.#binaries === 0 ? null : `Skipped as binary, though their start matches: ${filesOf(this.#binaries)}.`,
      this.#cappedFiles === 0
        ? null
        : `Only the first ${maxPerFile} matching lines were counted in ${filesOf(this.#cappedFiles)}.`,
      this.#longLines === 0 ? null : `Lines over ${MAX_EVENT_BYTES} bytes that match and are not shown: ${this.#longLines}.`,
    ].filter((note) => note !== null);
  }

  #readLine(line: Buffer, isCut: boolean): void {
    const kind = kindOfEvent(line);
    if (kind === 'match' && this.#current !== null) this.#current.seen++;
    if (kind !== 'other' && !this.#wantsMore(kind)) {
      // What follows a match that is not kept is not context of one that is.
      if (kind === 'match' && this.#current !== null) this.#current.isFull = true;
      return;
    }
    const event = isCut ? parseCutEvent(line) : parseEvent(line);
    if (event === null) this.#longLines++;
    else this.#take(event);
  }

  #take(event: RipgrepEvent): void {
    switch (event.type) {
      case 'begin': {
        const path = decodeText(event.data.path).text.replace(/^\.\//, '');
        this.#current = this.#options.accepts(path) ? { path, lines: [], kept: 0, seen: 0, lastMatch: 0, isFull: false } : null;
        return;
      }
      case 'match':
      case 'context':
        return this.#addLines(event);
      case 'end':
        return this.#end(event);
      case 'summary':
        this.#filesSearched = event.data.stats?.searches ?? 0;
    }
  }

  #wantsMore(kind: 'match' | 'context'): boolean {
    const { maxMatches } = this.#options;
    const file = this.#current;
    if (file === null || file.isFull || (kind === 'match' && file.kept >= maxMatches)) return false;
    return this.#keptMatches < maxMatches || file.path < (this.#kept.at(-1)?.path ?? '');
  }

  #addLines({ type, data }: RipgrepEvent): void {
    const file = this.#current;
    if (file === null) return;
    const { text, unitsBefore } = decodeText(data.lines);
    const first = data.line_number ?? 1;
    const { maxMatches, contextLines } = this.#options;
    // Context of matches that are not kept.
    if (type === 'context' && file.kept >= maxMatches && first > file.lastMatch + contextLines) return;
    const matchStart = type === 'match' ? unitsBefore(data.submatches?.[0]?.start ?? 0) : null;
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    // A match over several lines starts in the first and goes on at the start of the next.
    lines.forEach((line, i) => file.lines.push(pieceOf(line, first + i, matchStart === null || i === 0 ? matchStart : 0)));
    if (type !== 'match') return;
    file.kept += lines.length;
    file.lastMatch = first + lines.length - 1;
  }

  #end({ data }: RipgrepEvent): void {
    const file = this.#current;
    this.#current = null;
    if (file === null) return;
    if (data.binary_offset != null) this.#binaries++;
    else this.#close(file, data.stats?.matched_lines ?? file.seen);
  }

  #close({ path, lines }: OpenFile, matches: number): void {
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

function pieceOf(line: string, number: number, matchStart: number | null): GrepLine {
  if (line.length <= MAX_LINE_CHARS) return { line: number, text: line, matchStart };
  const start = Math.max(0, Math.min((matchStart ?? 0) - BEFORE_MATCH_CHARS, line.length - MAX_LINE_CHARS));
  return {
    line: number,
    // A copy: a slice would keep the whole line alive.
    text: Buffer.from(line.slice(start, start + MAX_LINE_CHARS), 'utf16le').toString('utf16le'),
    matchStart: matchStart === null ? null : matchStart - start,
    pieceOf: { start, chars: line.length },
  };
}

function filesOf(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}
