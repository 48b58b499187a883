import { messageOf } from '../../core/errors.ts';
import { RingBuffer } from './ring-buffer.ts';
import type { SpillFile, SpillStore } from '../files/spill.ts';
import { cleanOutput, decodeOutput, wholeCharacters } from './terminal-text.ts';

/** How much of an output is shown. Characters are code points. */
export interface WindowSize {
  readonly headChars: number;
  readonly tailChars: number;
}

export interface WindowText {
  readonly text: string;
  readonly omittedChars: number;
  readonly path: string | null;
}

/** How much of a command's output a model sees. */
export const COMMAND_WINDOW: WindowSize = { headChars: 2000, tailChars: 8000 };

// Escapes and redraws take room that the reader never sees, so more bytes are kept than characters shown.
const KEEP_HEAD_BYTES = 64 * 1024;
const KEEP_TAIL_BYTES = 256 * 1024;

/** Takes an output of any size in bounded memory: its head, its tail, and a file with all of it once it is long. */
export class OutputWindow {
  readonly #size: WindowSize;
  readonly #spills: Pick<SpillStore, 'create'>;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  readonly #tail = new RingBuffer(KEEP_TAIL_BYTES);
  #totalBytes = 0;
  #spill: SpillFile | null = null;
  #spillFault: string | null = null;

  constructor(size: WindowSize, spills: Pick<SpillStore, 'create'>) {
    this.#size = size;
    this.#spills = spills;
  }

  async add(bytes: Uint8Array): Promise<void> {
    const isLong = this.#totalBytes + bytes.length > this.#size.headChars + this.#size.tailChars;
    if (isLong) await this.#keepWhole(bytes);
    this.#totalBytes += bytes.length;
    const room = Math.max(0, KEEP_HEAD_BYTES - this.#headBytes);
    this.#keepHead(bytes.subarray(0, room));
    this.#tail.add(bytes.subarray(room));
  }

  /** The text to show. Where some was left out a mark says how much and where all of it is. */
  async finish(): Promise<WindowText> {
    const { headChars, tailChars } = this.#size;
    const tail = this.#tail.bytes();
    const isWhole = this.#totalBytes === this.#headBytes + tail.length;
    const headText = charactersOf(Buffer.concat(isWhole ? [...this.#head, tail] : this.#head));
    if (isWhole && headText.length <= headChars + tailChars) {
      await this.#spill?.discard();
      return { text: headText.join(''), omittedChars: 0, path: null };
    }
    await this.#keepWhole(new Uint8Array());
    await this.#spill?.close();
    const tailText = isWhole ? headText : charactersOf(tail);
    const omittedChars = (isWhole ? headText.length : this.#totalBytes) - headChars - tailChars;
    const mark = `\n[… ${isWhole ? '' : 'about '}${omittedChars} characters left out; ${this.#whereabouts()} …]\n`;
    const text = headText.slice(0, headChars).join('') + mark + tailText.slice(-tailChars).join('');
    return { text, omittedChars, path: this.#spill?.path ?? null };
  }

  /** A disk that takes no more must not end the command: then the mark says so. */
  async #keepWhole(bytes: Uint8Array): Promise<void> {
    if (this.#spillFault !== null) return;
    try {
      this.#spill ??= await this.#openSpill();
      await this.#spill.write(bytes);
    } catch (thrown) {
      this.#spillFault = messageOf(thrown);
    }
  }

  async #openSpill(): Promise<SpillFile> {
    const spill = await this.#spills.create();
    for (const bytes of [...this.#head, this.#tail.bytes()]) await spill.write(bytes);
    return spill;
  }

  #whereabouts(): string {
    if (this.#spillFault !== null) return `they could not be kept: ${this.#spillFault}`;
    return `${this.#spill?.isCut === true ? 'the first 1 GiB' : 'all'} of it: ${this.#spill?.path}`;
  }

  #keepHead(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#head.push(Uint8Array.from(bytes));
    this.#headBytes += bytes.length;
  }
}

function charactersOf(bytes: Uint8Array): string[] {
  return [...cleanOutput(decodeOutput(wholeCharacters(bytes)))];
}
