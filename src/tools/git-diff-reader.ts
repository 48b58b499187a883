/** A changed path, as `--raw` and `--numstat` tell of it. Modes are octal, 000000 for absent. */
export interface FileChange {
  /** M, T, A, D, R, C, or U for a conflict. */
  readonly letter: string;
  readonly path: string;
  readonly oldPath: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  /** Lines; null for a binary. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** The lines of a file's hunks that were kept, and how many there are. */
export interface FilePatch {
  readonly lines: readonly string[];
  readonly totalLines: number;
}

export interface DiffContent {
  /** The first `maxFiles`, in git's order. */
  readonly changes: readonly FileChange[];
  /** For each of them; empty for what has no lines to show. */
  readonly patches: readonly FilePatch[];
  readonly totals: { readonly files: number; readonly added: number; readonly removed: number };
}

export interface DiffLimits {
  readonly maxFiles: number;
  /** Of the lines of one file. Where only one changed it may have `maxChars`. */
  readonly maxFileChars: number;
  readonly maxChars: number;
  readonly maxLineChars: number;
}

interface RawChange extends Omit<FileChange, 'added' | 'removed'> {
  added: number | null;
  removed: number | null;
}

interface OpenPatch {
  lines: string[];
  chars: number;
  totalLines: number;
  isFull: boolean;
}

const NUL = 0;
const LINE_FEED = 10;
// Each line of a hunk starts with one of these. Of git's own lines only the names do (--- and +++), which stand before the first hunk.
const HUNK_MARKS = new Set([' ', '+', '-', '\\', '@'].map((mark) => mark.charCodeAt(0)));
const START = 'diff --git ';
const UNMERGED = '* Unmerged path ';

/** Reads `git diff --raw --numstat -p -z` as it comes, and keeps only what can be shown. */
export class DiffReader {
  readonly #limits: DiffLimits;
  readonly #changes: RawChange[] = [];
  readonly #patches: OpenPatch[] = [];
  /** Which change each section of the patch belongs to. */
  readonly #owners: number[] = [];
  #files = 0;
  #counted = 0;
  #added = 0;
  #removed = 0;
  #phase: 'raw' | 'counts' | 'patch' = 'raw';
  #pending: string[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #restLength = 0;
  #section = -1;
  #isInHunks = false;

  constructor(limits: DiffLimits) {
    this.#limits = limits;
  }

  /** False when nothing that still comes could be shown. */
  add(bytes: Uint8Array): boolean {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(this.#phase === 'patch' ? LINE_FEED : NUL, start);
      if (end === -1) break;
      const piece = this.#joined(chunk.subarray(start, end));
      if (this.#phase === 'patch') this.#takeLine(piece.bytes, piece.length);
      else this.#takeItem(piece.bytes.toString('utf8'));
      start = end + 1;
      if (this.#section >= this.#owners.length) return false;
    }
    this.#keepRest(chunk.subarray(start));
    return true;
  }

  finish(): DiffContent {
    return {
      changes: this.#changes,
      patches: this.#changes.map((_change, i) => this.#patches[i] ?? { lines: [], totalLines: 0 }),
      totals: { files: this.#files, added: this.#added, removed: this.#removed },
    };
  }

  /** What was left of the chunk before, and this. Of a long line only the beginning is held, with its whole length. */
  #joined(bytes: Buffer): { bytes: Buffer; length: number } {
    if (this.#restLength === 0) return { bytes, length: bytes.length };
    const joined = { bytes: Buffer.concat([this.#rest, bytes]), length: this.#restLength + bytes.length };
    this.#rest = Buffer.alloc(0);
    this.#restLength = 0;
    return joined;
  }

  #keepRest(bytes: Buffer): void {
    this.#restLength += bytes.length;
    const room = this.#phase === 'patch' ? Math.max(0, 4 * this.#limits.maxLineChars - this.#rest.length) : bytes.length;
    this.#rest = Buffer.concat([this.#rest, bytes.subarray(0, room)]);
  }

  #takeItem(item: string): void {
    if (item === '') {
      this.#phase = 'patch';
      return;
    }
    if (this.#phase === 'raw' && this.#pending.length === 0 && !item.startsWith(':')) this.#phase = 'counts';
    this.#pending.push(item);
    const [head = ''] = this.#pending;
    const names = this.#phase === 'raw' ? (/[RC]\d*$/.test(head) ? 2 : 1) : head.endsWith('\t') ? 2 : 0;
    if (this.#pending.length <= names) return;
    if (this.#phase === 'raw') this.#takeChange(this.#pending);
    else this.#takeCounts(head);
    this.#pending = [];
  }

  #takeChange([head = '', first = '', second]: readonly string[]): void {
    const index = this.#files++;
    if (index >= this.#limits.maxFiles) return;
    const [oldMode = '', newMode = '', , , state = ''] = head.slice(1).split(' ');
    const letter = state.charAt(0);
    const path = second ?? first;
    this.#changes.push({
      letter,
      path,
      oldPath: second === undefined ? null : first,
      oldMode,
      newMode,
      added: null,
      removed: null,
    });
    // A file that became a link is told as one that went and one that came. Source: diff.c of git 2.39, run_diff.
    this.#owners.push(...(letter === 'T' ? [index, index] : [index]));
  }

  #takeCounts(head: string): void {
    const [added = '-', removed = '-'] = head.split('\t');
    const change = this.#changes[this.#counted++];
    if (added === '-') return;
    this.#added += Number(added);
    this.#removed += Number(removed);
    if (change !== undefined) Object.assign(change, { added: Number(added), removed: Number(removed) });
  }

  #takeLine(bytes: Buffer, length: number): void {
    if (!HUNK_MARKS.has(bytes[0] ?? 0)) {
      const text = bytes.toString('latin1', 0, UNMERGED.length);
      if (text.startsWith(START) || text === UNMERGED) {
        this.#section++;
        this.#isInHunks = false;
      }
      return;
    }
    // Before the first hunk stand the names, which the changes tell better.
    if (bytes[0] === 0x40) this.#isInHunks = true;
    if (this.#isInHunks) this.#keepLine(bytes, length);
  }

  #keepLine(bytes: Buffer, length: number): void {
    const owner = this.#owners[this.#section];
    if (owner === undefined) return;
    const patch = (this.#patches[owner] ??= { lines: [], chars: 0, totalLines: 0, isFull: false });
    patch.totalLines++;
    if (patch.isFull) return;
    const line = this.#shortened(bytes, length);
    patch.isFull = patch.chars + line.length > this.#maxFileChars();
    if (patch.isFull) return;
    patch.lines.push(line);
    patch.chars += line.length + 1;
  }

  #shortened(bytes: Buffer, length: number): string {
    const max = this.#limits.maxLineChars;
    const text = bytes.toString('utf8', 0, 4 * max);
    if (bytes.length === length && text.length <= max) return text;
    return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}… [line of ${length - 1} bytes]`;
  }

  #maxFileChars(): number {
    return this.#changes.length === 1 ? this.#limits.maxChars : this.#limits.maxFileChars;
  }
}
