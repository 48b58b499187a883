import type { GrepLine } from '../../core/ports.ts';

// Of a longer line only a piece around its match is kept.
const MAX_LINE_BYTES = 4000;
const BEFORE_MATCH_BYTES = 1000;

const ZERO = 0x30;
// No text is likely to start with digits and this, so that a column that rg leaves out (as for \A) is told from one.
const SEPARATOR = 0x01;
export const MATCH_SEPARATOR = '\\x01';
const CARRIAGE_RETURN = 0x0d;

/** The head of a line as rg prints it: number, column and text of a match with a separator between them, `12-text` for context. `matchAt` is an offset in bytes of the text, null for context. */
export interface PrintedHead {
  readonly line: number;
  readonly matchAt: number | null;
  readonly textStart: number;
}

/** Whether a printed line is a match and not context, without reading all of its head: most lines of a flood are only counted. */
export function isMatchLine(bytes: Buffer, start: number): boolean {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return bytes[at] === SEPARATOR;
}

export function readHead(bytes: Buffer, start: number): PrintedHead {
  const line = readNumber(bytes, start);
  if (bytes[line.end] !== SEPARATOR) return { line: line.value, matchAt: null, textStart: line.end + 1 };
  const column = readNumber(bytes, line.end + 1);
  if (bytes[column.end] !== SEPARATOR) return { line: line.value, matchAt: 0, textStart: line.end + 1 };
  return { line: line.value, matchAt: column.value - 1, textStart: column.end + 1 };
}

/** The line itself, or the piece around its match where it is long. `missing` bytes of it were not kept. */
export function readLine({ line, matchAt, textStart }: PrintedHead, bytes: Buffer, end: number, missing: number): GrepLine {
  const isReturn = missing === 0 && end > textStart && bytes[end - 1] === CARRIAGE_RETURN;
  const text = bytes.subarray(textStart, isReturn ? end - 1 : end);
  // A match over several lines goes on at the start of the next ones, for which rg repeats the column of the first.
  const match = matchAt === null ? null : matchAt < text.length + missing ? matchAt : 0;
  if (text.length <= MAX_LINE_BYTES && missing === 0)
    return { line, text: text.toString('utf8'), matchStart: match === null ? null : text.toString('utf8', 0, match).length };
  const wanted = Math.max(0, Math.min((match ?? 0) - BEFORE_MATCH_BYTES, text.length - MAX_LINE_BYTES));
  const from = wholeCharacter(text, wanted);
  const to = wholeCharacter(text, Math.min(text.length, wanted + MAX_LINE_BYTES));
  const start = unitsOf(text.subarray(0, from));
  return {
    line,
    text: text.toString('utf8', from, to),
    matchStart: match === null ? null : unitsOf(text.subarray(from, Math.min(match, to))),
    pieceOf: { start, chars: start + unitsOf(text.subarray(from)) + missing },
  };
}

/** About how many UTF-16 units these bytes become, without decoding megabytes: exactly where they are UTF-8. */
function unitsOf(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 && byte < 0xf8 ? 2 : 1;
  return units;
}

/** The next offset at which a character starts. */
function wholeCharacter(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (at < bytes.length && at < offset + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

function readNumber(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let [value, end] = [0, start];
  for (; isDigit(bytes[end]); end++) value = value * 10 + (bytes[end] ?? 0) - ZERO;
  return { value, end };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte < ZERO + 10;
}
