import { readableText } from '../host/text/text-file.ts';

/** Lines of a file. `remaining` says in words what follows them, or null; `totalLines` is known where the file was read to its end. */
export interface LineWindow {
  readonly lines: readonly string[];
  readonly remaining: string | null;
  readonly totalLines: number;
}

type ReadRange = (start: number, length: number) => Promise<Uint8Array>;

const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 2000;
// With the notes behind them the lines stay below what any answer may hold, 100,000 characters.
const MAX_WINDOW_CHARS = 99_500;
// How far past the window lines are still counted, and how far a line is followed to its end; beyond it an answer would cost more than it tells.
const COUNT_BYTES = 4 * 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/** Reads a window of lines in memory for that window. Lines end at LF; a CR before it is not shown, a lone CR is data. */
export async function readLines(
  read: ReadRange,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LineWindow> {
  const window = new WindowReader(offset, limit);
  let at = 0;
  for (;;) {
    const bytes = await read(at, CHUNK_BYTES);
    if (bytes.length === 0) return window.finish(true);
    at += bytes.length;
    window.add(bytes);
    if (window.isCountedEnough()) return window.finish(false);
  }
}

class WindowReader {
  readonly #offset: number;
  readonly #limit: number;
  #line = 1;
  #isLineOpen = false;
  #current = new LineBuffer();
  #lines: string[] = [];
  #chars = 0;
  #isClosed = false;
  #bytesPast = 0;
  #isFirst = true;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    let start = this.#isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    this.#isFirst = false;
    if (this.#isFull()) this.#bytesPast += chunk.length;
    for (let end = chunk.indexOf(LF, start); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#take(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  isCountedEnough(): boolean {
    return this.#bytesPast > COUNT_BYTES || this.#current.bytes > COUNT_BYTES;
  }

  finish(isAtEnd: boolean): LineWindow {
    const isCut = !isAtEnd && this.#current.bytes > 0;
    if (this.#isLineOpen && (isAtEnd || isCut)) this.#endLine(isCut);
    const totalLines = this.#line - 1;
    const left = totalLines - (this.#offset + this.#lines.length - 1);
    const more = isAtEnd ? '' : 'more than ';
    const counted = left > 0 ? `${more}${left} more ${left === 1 ? 'line remains' : 'lines remain'}` : null;
    return { lines: this.#lines, remaining: isCut ? 'an unknown number of lines remain' : counted, totalLines };
  }

  #isFull(): boolean {
    return this.#lines.length >= this.#limit || this.#isClosed;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#isLineOpen = true;
    if (this.#line >= this.#offset && !this.#isFull()) this.#current.add(bytes);
  }

  #endLine(isCut = false): void {
    if (this.#line >= this.#offset && !this.#isFull()) this.#keepLine(this.#current.take(isCut));
    this.#line++;
    this.#isLineOpen = false;
  }

  #keepLine(text: string): void {
    // The number, the tab and the line end count too.
    const chars = this.#chars + text.length + String(this.#line).length + 2;
    this.#isClosed = chars > MAX_WINDOW_CHARS;
    if (this.#isClosed) return;
    this.#chars = chars;
    this.#lines.push(text);
  }
}

/** One line of any length in bounded memory. */
class LineBuffer {
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #chars = 0;
  #lastByte = 0;
  bytes = 0;

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.#lastByte = bytes.at(-1) ?? this.#lastByte;
    for (const byte of bytes) if ((byte & 0xc0) !== 0x80) this.#chars++;
    const room = MAX_LINE_CHARS * 4 + 1 - this.#keptBytes;
    if (room <= 0) return;
    this.#kept.push(Uint8Array.from(bytes.subarray(0, room)));
    this.#keptBytes += Math.min(room, bytes.length);
  }

  take(isCut: boolean): string {
    const text = readableText(Buffer.concat(this.#kept).toString('utf8'));
    const hasCr = this.#lastByte === CR;
    const chars = hasCr ? this.#chars - 1 : this.#chars;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#chars = 0;
    this.#lastByte = 0;
    this.bytes = 0;
    if (chars <= MAX_LINE_CHARS) return hasCr ? text.slice(0, -1) : text;
    const length = `${isCut ? 'more than ' : ''}${chars}`;
    return `${[...text].slice(0, MAX_LINE_CHARS).join('')} [… the line has ${length} characters; cut here …]`;
  }
}
