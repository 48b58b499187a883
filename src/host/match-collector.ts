import type { GrepFile, GrepLine } from '../core/ports.ts';

interface TextOrBytes {
  readonly text?: string;
  readonly bytes?: string;
}
interface RipgrepEvent {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: TextOrBytes;
    readonly lines?: TextOrBytes;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
    readonly binary_offset?: number | null;
    readonly stats?: { readonly searches: number; readonly matched_lines: number; readonly searches_with_match: number };
  };
}

const NEWLINE = 0x0a;
// Up to this column of a line the kind of its event is known: {"type":"match"
const KIND_COLUMN = 9;

/**
 * Reads `rg --json` and keeps the first matches by path in bounded memory, whatever the order in which rg's threads find them.
 * Source: docs.rs/grep-printer, JSON format, version 15.
 */
export class MatchCollector {
  readonly #maxMatches: number;
  #rest: Buffer = Buffer.alloc(0);
  #kept: GrepFile[] = [];
  #current: { path: string; lines: GrepLine[]; matches: number } | null = null;
  #totalMatches = 0;
  #totalFiles = 0;
  #binaries = 0;
  #searched: number | null = null;

  constructor(maxMatches: number) {
    this.#maxMatches = maxMatches;
  }

  add(bytes: Uint8Array): true {
    const all = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    let start = 0;
    for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, start)) {
      this.#readLine(all.subarray(start, end));
      start = end + 1;
    }
    this.#rest = all.subarray(start);
    return true;
  }

  finish(): {
    files: GrepFile[];
    totalMatches: number;
    totalFiles: number;
    filesSearched: number;
    binaryNote: string | null;
    hasSummary: boolean;
  } {
    return {
      files: this.#kept,
      totalMatches: this.#totalMatches,
      totalFiles: this.#totalFiles,
      filesSearched: this.#searched ?? 0,
      binaryNote: this.#binaries === 0 ? null : `Skipped as binary: ${this.#binaries} file${this.#binaries === 1 ? '' : 's'}.`,
      hasSummary: this.#searched !== null,
    };
  }

  #readLine(line: Buffer): void {
    // Most lines of a flood belong to files that will not be shown: their kind is enough. `e` also starts "end".
    const kind = line[KIND_COLUMN];
    const isMatchOrContext = kind === 0x6d || kind === 0x63;
    if (isMatchOrContext && !this.#wantsMore(kind === 0x6d)) return;
    const event = JSON.parse(line.toString('utf8')) as RipgrepEvent;
    switch (event.type) {
      case 'begin':
        return this.#begin(textOf(event.data.path));
      case 'match':
      case 'context':
        return this.#addLine(event);
      case 'end':
        return this.#end(event);
      case 'summary':
        this.#searched = event.data.stats?.searches ?? 0;
    }
  }

  #begin(path: string): void {
    this.#current = { path: path.startsWith('./') ? path.slice(2) : path, lines: [], matches: 0 };
  }

  #wantsMore(isMatch: boolean): boolean {
    if (this.#current === null) return false;
    if (isMatch && this.#current.matches >= this.#maxMatches) return false;
    return !this.#isFull() || this.#current.path < (this.#kept.at(-1)?.path ?? '');
  }

  #addLine(event: RipgrepEvent): void {
    const { data } = event;
    const isMatch = event.type === 'match';
    if (this.#current === null) return;
    if (isMatch) this.#current.matches++;
    const first = data.line_number ?? 1;
    const lines = textOf(data.lines)
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const matchStart = isMatch ? (data.submatches?.[0]?.start ?? 0) : null;
    lines.forEach((text, i) =>
      this.#current?.lines.push({ line: first + i, text, matchStart: i === 0 ? matchStart : isMatch ? 0 : null }),
    );
  }

  #end(event: RipgrepEvent): void {
    const file = this.#current;
    this.#current = null;
    if (file === null) return;
    if (event.data.binary_offset != null) {
      this.#binaries++;
      return;
    }
    const matches = event.data.stats?.matched_lines ?? file.matches;
    this.#totalMatches += matches;
    this.#totalFiles++;
    if (file.lines.length === 0) return;
    const at = this.#kept.findIndex((kept) => kept.path > file.path);
    this.#kept.splice(at === -1 ? this.#kept.length : at, 0, { path: file.path, matches, lines: file.lines });
    while (this.#isFullWithoutLast()) this.#kept.pop();
  }

  #isFull(): boolean {
    return this.#keptMatches(this.#kept) >= this.#maxMatches;
  }

  #isFullWithoutLast(): boolean {
    return this.#keptMatches(this.#kept.slice(0, -1)) >= this.#maxMatches;
  }

  #keptMatches(files: readonly GrepFile[]): number {
    return files.reduce((sum, file) => sum + file.matches, 0);
  }
}

function textOf(value: TextOrBytes | undefined): string {
  return value?.text ?? Buffer.from(value?.bytes ?? '', 'base64').toString('utf8');
}
