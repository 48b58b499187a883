/** A run of lines to find and what they become. */
export interface PatchHunk {
  /** Lines that stand somewhere above, from the outside in (`@@ class A`, `@@ def f`). */
  readonly headers: readonly string[];
  readonly lines: readonly { readonly op: 'keep' | 'remove' | 'add'; readonly text: string }[];
  /** The lines stand at the end of the file. */
  readonly isAtEnd: boolean;
}

/** What a patch says of one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly moveTo: string | null; readonly hunks: readonly PatchHunk[] };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const FILE_HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Reads a patch, or says in which line it stops being one. Source: the format that GPT models are trained on, openai/codex, apply-patch, 2026-08. */
export function parsePatch(patch: string): { readonly files: readonly FilePatch[] } | { readonly problem: string } {
  const reader = new LineReader(unwrap(patch));
  try {
    reader.expect(BEGIN);
    const files: FilePatch[] = [];
    while (reader.marker() !== END) files.push(readFile(reader));
    if (files.length === 0) throw new PatchProblem('the patch changes no file');
    return { files };
  } catch (thrown) {
    if (thrown instanceof PatchProblem) return { problem: `Line ${reader.lineNumber}: ${thrown.message}.` };
    throw thrown;
  }
}

class PatchProblem extends Error {}

/** Models wrap a patch in a code fence or a here-document at times. */
function unwrap(patch: string): string[] {
  const lines = patch.replace(/\r\n/g, '\n').trim().split('\n');
  const isWrapped = /^(?:```\w*|(?:apply_patch )?<<\s*['"]?\w+['"]?)$/.test(lines[0] ?? '');
  return isWrapped ? lines.slice(1, -1) : lines;
}

class LineReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get lineNumber(): number {
    return Math.min(this.#at + 1, this.#lines.length);
  }

  peek(): string | null {
    return this.#lines[this.#at] ?? null;
  }

  /** The next line as a marker, its padding aside. */
  marker(): string {
    const line = this.peek();
    if (line === null) throw new PatchProblem(`"${END}" is missing`);
    return line.trim();
  }

  next(): string {
    const line = this.#lines[this.#at];
    if (line === undefined) throw new PatchProblem(`"${END}" is missing`);
    this.#at++;
    return line;
  }

  expect(marker: string): void {
    if (this.marker() !== marker) throw new PatchProblem(`"${marker}" was expected`);
    this.next();
  }
}

function readFile(reader: LineReader): FilePatch {
  const [, verb, path = ''] = FILE_HEADER.exec(reader.marker()) ?? [];
  if (verb === undefined)
    throw new PatchProblem(
      '"*** Add File: PATH", "*** Update File: PATH", "*** Delete File: PATH" or "*** End Patch" was expected',
    );
  reader.next();
  if (verb === 'Delete') return { kind: 'delete', path };
  return verb === 'Add' ? { kind: 'add', path, lines: readAdded(reader) } : readUpdate(reader, path);
}

function readAdded(reader: LineReader): string[] {
  const lines: string[] = [];
  while (!reader.marker().startsWith('*** ')) {
    if (!reader.peek()?.startsWith('+')) throw new PatchProblem('each line of an added file begins with +');
    lines.push(reader.next().slice(1));
  }
  return lines;
}

function readUpdate(reader: LineReader, path: string): FilePatch {
  const moveTo = MOVE.exec(reader.marker())?.[1] ?? null;
  if (moveTo !== null) reader.next();
  const hunks: PatchHunk[] = [];
  while (!isFileEnd(reader.marker())) hunks.push(readHunk(reader));
  if (hunks.length === 0 && moveTo === null) throw new PatchProblem(`the update of ${path} has no lines`);
  return { kind: 'update', path, moveTo, hunks };
}

function isFileEnd(marker: string): boolean {
  return marker === END || FILE_HEADER.test(marker);
}

function readHunk(reader: LineReader): PatchHunk {
  const headers: string[] = [];
  while (reader.peek()?.startsWith('@@')) {
    const header = reader.next().slice(2).replace(/^ /, '');
    // "@@ -1,3 +1,4 @@" is what diffs write; here it says nothing.
    if (header.trim() !== '' && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(header)) headers.push(header);
  }
  const lines: PatchHunk['lines'][number][] = [];
  while (!reader.peek()?.startsWith('@@') && !isFileEnd(reader.marker()) && reader.marker() !== END_OF_FILE)
    lines.push(readLine(reader));
  const isAtEnd = reader.marker() === END_OF_FILE;
  if (isAtEnd) reader.next();
  if (lines.length === 0) throw new PatchProblem('a hunk without lines');
  return { headers, lines, isAtEnd };
}

function readLine(reader: LineReader): PatchHunk['lines'][number] {
  const line = reader.peek() ?? '';
  const op = line === '' ? 'keep' : ({ ' ': 'keep', '-': 'remove', '+': 'add' } as const)[line[0] as ' '];
  if (op === undefined) throw new PatchProblem('a line of an update begins with a space, - or +');
  reader.next();
  return { op, text: line.slice(1) };
}
