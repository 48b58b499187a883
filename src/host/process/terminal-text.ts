/** Bytes of a program as text: bytes that are no UTF-8 become U+FFFD. */
export function decodeOutput(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** A piece of an output without the halves of characters that a cut left at its edges. */
export function wholeCharacters(piece: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(piece[start])) start++;
  let last = piece.length - 1;
  while (last > piece.length - 4 && isContinuation(piece[last])) last--;
  const isWhole = last < start || last + lengthFrom(piece[last] ?? 0) <= piece.length;
  return piece.subarray(start, isWhole ? piece.length : last);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lengthFrom(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

// Strings for the terminal (DCS, SOS, PM, APC, OSC) up to their terminator; an unfinished one goes up to the end of its line.
// oxlint-disable-next-line no-control-regex -- these are the bytes that must go
const STRINGS = /\u001b[PX^_\]][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?/g;
// Control sequences, then the other escapes. Source: ECMA-48, 5.4 and 5.3
// oxlint-disable-next-line no-control-regex -- these are the bytes that must go
const SEQUENCES = /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])/g;
// oxlint-disable-next-line no-control-regex -- these are the bytes that must go
const ESCAPES = /\u001b(?!\[[012]K)[ -/]*[0-~]/g;
// oxlint-disable-next-line no-control-regex -- control bytes other than tab and line feed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// What moves within a line or erases in it: carriage return, backspace, and EL to the end, to the start, and the whole line.
// oxlint-disable-next-line no-control-regex -- these are the bytes that redraw
const REDRAWS = /(\r|\u0008|\u001b\[[012]K)/;

/** Program output as a model should read it: no escape sequences, redrawn lines folded to their last state, control bytes shown as `\xNN`. */
export function cleanOutput(text: string): string {
  return text
    .replaceAll(STRINGS, '')
    .replaceAll(SEQUENCES, (_sequence, parameter: string, final: string) => eraseInLine(parameter, final) ?? '')
    .replaceAll(ESCAPES, '')
    .split('\n')
    .map(foldRedraws)
    .join('\n')
    .replaceAll(CONTROLS, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function eraseInLine(parameter: string, final: string): string | null {
  return final === 'K' && /^[012]?$/.test(parameter) ? `\u001b[${parameter || '0'}K` : null;
}

/** What a line shows in the end: each redraw writes over the start of the one before. Columns are counted in code points. */
function foldRedraws(line: string): string {
  if (!REDRAWS.test(line)) return line;
  const cells: string[] = [];
  let at = 0;
  for (const piece of line.split(REDRAWS)) {
    if (piece === '\r') at = 0;
    else if (piece === '\b') at = Math.max(0, at - 1);
    else if (piece === '\u001b[0K') cells.length = Math.min(cells.length, at);
    else if (piece === '\u001b[1K') cells.fill(' ', 0, at + 1);
    else if (piece === '\u001b[2K') cells.length = 0;
    else for (const character of piece) cells[at++] = character;
  }
  return Array.from(cells, (cell) => cell ?? ' ').join('');
}
