import { readableText } from '../host/text-file.ts';

/** Lines of a file. `remaining` says in words what follows them, or null; `totalLines` is known where the file was read to its end. */
export interface LineWindow {
  readonly lines: readonly string[];
  readonly remaining: string | null;
  readonly totalLines: number;
}

type ReadRange = (start: number, length: number) => Promise<Uint8Array>;

const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 2000;
const MAX_WINDOW_CHARS = 100_000;
// How far past the window lines are still counted; beyond it an answer would cost more than it tells.
const COUNT_BYTES = 64 * 1024 * 1024;
const LF = 0x0a;

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
    return this.#bytesPast > COUNT_BYTES;
  }

  finish(isAtEnd: boolean): LineWindow {
    if (this.#isLineOpen && isAtEnd) this.#endLine();
    const totalLines = this.#line - 1;
    const left = totalLines - (this.#offset + this.#lines.length - 1);
    const more = isAtEnd ? '' : 'more than ';
    return {
      lines: this.#lines,
      remaining: left > 0 ? `${more}${left} more line${left === 1 ? '' : 's'}` : null,
      totalLines,
    };
  }

  #isFull(): boolean {
    return this.#lines.length >= this.#limit || this.#chars >= MAX_WINDOW_CHARS;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#isLineOpen = true;
    if (this.#line >= this.#offset && !this.#isFull()) this.#current.add(bytes);
  }

  #endLine(): void {
    if (this.#line >= this.#offset && !this.#isFull()) {
      const text = this.#current.take();
      this.#chars += text.length;
      this.#lines.push(text);
    }
    this.#line++;
    this.#isLineOpen = false;
  }
}

/** One line of any length in bounded memory. */
class LineBuffer {
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #chars = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) if ((byte & 0xc0) !== 0x80) this.#chars++;
    const room = MAX_LINE_CHARS * 4 + 1 - this.#keptBytes;
    if (room <= 0) return;
    this.#kept.push(Uint8Array.from(bytes.subarray(0, room)));
    this.#keptBytes += Math.min(room, bytes.length);
  }

  take(): string {
    const text = readableText(Buffer.concat(this.#kept).toString('utf8'));
    const chars = this.#chars;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#chars = 0;
    if (chars <= MAX_LINE_CHARS) return text.endsWith('\r') ? text.slice(0, -1) : text;
    return `${[...text].slice(0, MAX_LINE_CHARS).join('')} [… the line has ${chars} characters; cut here …]`;
  }
}
