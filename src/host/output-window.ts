import type { SpillFile, SpillStore } from './spill.ts';
import { cleanOutput, decodeOutput } from './terminal-text.ts';

/** How much of an output a model sees. Characters are code points. */
export interface WindowSize {
  readonly headChars: number;
  readonly tailChars: number;
}

export interface WindowText {
  readonly text: string;
  readonly omittedChars: number;
  readonly path: string | null;
}

// Escapes and redraws take room that the reader never sees, so more bytes are kept than characters shown.
const KEEP_HEAD_BYTES = 64 * 1024;
const KEEP_TAIL_BYTES = 256 * 1024;

/** Takes an output of any size in bounded memory: its head, its tail, and a file with all of it once it is long. */
export class OutputWindow {
  readonly #size: WindowSize;
  readonly #spills: SpillStore;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #totalBytes = 0;
  #spill: SpillFile | null = null;

  constructor(size: WindowSize, spills: SpillStore) {
    this.#size = size;
    this.#spills = spills;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#totalBytes += bytes.length;
    const isLong = this.#totalBytes > this.#size.headChars + this.#size.tailChars;
    if (isLong && this.#spill === null) await this.#openSpill();
    await this.#spill?.write(bytes);
    const room = Math.max(0, KEEP_HEAD_BYTES - this.#headBytes);
    this.#keepHead(bytes.subarray(0, room));
    this.#keepTail(bytes.subarray(room));
  }

  /** The text to show. Where some was left out a mark says how much and where all of it is. */
  async finish(): Promise<WindowText> {
    await this.#spill?.close();
    const isWhole = this.#totalBytes === this.#headBytes + this.#tailBytes;
    const head = isWhole ? [...this.#head, ...this.#tail] : this.#head;
    const headText = [...cleanOutput(decodeOutput(Buffer.concat(head)))];
    const tailText = isWhole ? headText : [...cleanOutput(decodeOutput(trimToCharacter(Buffer.concat(this.#tail))))];
    const { headChars, tailChars } = this.#size;
    if (isWhole && headText.length <= headChars + tailChars) return { text: headText.join(''), omittedChars: 0, path: null };
    const omittedChars = (isWhole ? headText.length : this.#totalBytes) - headChars - tailChars;
    const mark = `\n[… ${isWhole ? '' : 'about '}${omittedChars} characters left out; all of it: ${this.#spill?.path} …]\n`;
    const text = headText.slice(0, headChars).join('') + mark + tailText.slice(-tailChars).join('');
    return { text, omittedChars, path: this.#spill?.path ?? null };
  }

  async #openSpill(): Promise<void> {
    this.#spill = await this.#spills.create();
    for (const bytes of [...this.#head, ...this.#tail]) await this.#spill.write(bytes);
  }

  #keepHead(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#head.push(Uint8Array.from(bytes));
    this.#headBytes += bytes.length;
  }

  #keepTail(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#tail.push(Uint8Array.from(bytes.subarray(-KEEP_TAIL_BYTES)));
    this.#tailBytes += Math.min(bytes.length, KEEP_TAIL_BYTES);
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= KEEP_TAIL_BYTES) this.#tailBytes -= this.#tail.shift()?.length ?? 0;
  }
}

/** Drops the rest of a character that the window's edge cut in two. */
function trimToCharacter(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}
