import { isAscii, isUtf8 } from 'node:buffer';
import { byteOrderMark, detectLegacy } from './detect-encoding.ts';
import { type EncodingName, encodingNamed, type TextEncoding } from './encodings.ts';

/**
 * A text file in memory. `text` is without the byte order mark. In UTF-8 it is lossless: a byte that is no UTF-8 stands in it as a lone
 * surrogate U+DC80 to U+DCFF.
 */
export interface TextFile {
  readonly text: string;
  readonly encoding: EncodingName;
  readonly markLength: number;
  readonly bytes: Uint8Array;
  /** Why nothing but ASCII may be put into it: its encoding is a guess, or one that is not written here. */
  readonly onlyAscii?: string;
}

/** A piece of a text and what it becomes. Offsets count UTF-16 units. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** How much of a file tells whether it is text. */
export const SNIFF_BYTES = 512;

/** A NUL in the first 512 bytes marks a file that is not text, unless a byte order mark says otherwise. */
export function isBinary(head: Uint8Array): boolean {
  return byteOrderMark(head) === null && head.subarray(0, SNIFF_BYTES).includes(0);
}

/** Decodes a file, or null where it is binary: UTF-8, what a byte order mark names, or a legacy encoding that reads it without a fault. */
export async function decodeText(bytes: Uint8Array): Promise<TextFile | null> {
  if (isBinary(bytes)) return null;
  const mark = byteOrderMark(bytes);
  const markLength = mark?.length ?? 0;
  const body = bytes.subarray(markLength);
  // Plain ASCII, as most source is, is copied and not decoded.
  if (mark === null && isAscii(body)) return withDoubt({ text: latin1Of(body), encoding: 'utf-8', markLength, bytes });
  const encoding = mark?.encoding ?? (await encodingWithoutMark(body));
  const text = encoding === 'utf-8' ? decodeLossless(body) : encodingNamed(encoding).decode(body);
  return withDoubt({ text, encoding, markLength, bytes });
}

// A shift to another set of characters. Source: ISO/IEC 2022; RFC 1468 (Japanese), RFC 1557 (Korean)
// oxlint-disable-next-line no-control-regex -- these are the bytes to look for
const SHIFT = /\u001b(?:\$[@B]|\$\([DO]|\$\)C|\([JI])/;
const CLEARLY = 4;

/** Marks a file into which letters of another encoding could get. */
function withDoubt(file: TextFile): TextFile {
  if (file.encoding !== 'utf-8') return file;
  if (SHIFT.test(file.text)) return { ...file, onlyAscii: 'it is written with the escape sequences of ISO 2022' };
  if (file.text.isWellFormed()) return file;
  const { sound, strays } = countBytes(file.bytes.subarray(file.markLength));
  return sound >= CLEARLY * strays ? file : { ...file, onlyAscii: 'it is not clear in which encoding it is written' };
}

/**
 * Changes pieces of a file, from left to right and not touching. All bytes outside of them are the file's own, and stay where they are in memory.
 * A problem where the encoding cannot hold a replacement, or where the file's own bytes do not read back.
 */
export async function changeText(
  file: TextFile,
  changes: readonly TextChange[],
): Promise<{ readonly pieces: readonly Uint8Array[] } | { readonly problem: string }> {
  if (file.onlyAscii !== undefined && !changes.every(({ replacement }) => ASCII.test(replacement)))
    return { problem: `${file.onlyAscii}, so only ASCII text can be put into it` };
  const offsets = byteOffsets(
    file,
    changes.flatMap(({ start, end }) => [start, end]),
  );
  if (offsets === null) return { problem: `its bytes do not all read as ${file.encoding}, so a change could damage others` };
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [i, { replacement }] of changes.entries()) {
    const encoded = await encodeText(replacement, file.encoding);
    if (encoded === null) return { problem: await cannotHold(replacement, file.encoding) };
    pieces.push(file.bytes.subarray(at, offsets[2 * i]), encoded);
    at = offsets[2 * i + 1] ?? file.bytes.length;
  }
  return { pieces: [...pieces, file.bytes.subarray(at)] };
}

/** A whole new text as the file's encoding writes it, with its mark; or why that cannot be. */
export async function rewriteText(
  file: TextFile,
  text: string,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  // The mark is the file's own; a text that brings one does not make it two.
  const body = file.markLength > 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
  const encoded = await encodeText(body, file.encoding);
  if (encoded === null) return { problem: await cannotHold(body, file.encoding) };
  return { bytes: Buffer.concat([file.bytes.subarray(0, file.markLength), encoded]) };
}

/** The text after its changes. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, replacement } of changes) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/** Text as people read it: each undecodable byte becomes U+FFFD. */
export function readableText(text: string): string {
  return text.toWellFormed();
}

/** The lines of a text without their ends. A final line end adds no line; a lone CR is data. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (text.endsWith('\n')) lines.pop();
  else if (text.endsWith('\r')) lines[lines.length - 1] += '\r';
  return lines;
}

/** The 1-based line in which an offset lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i !== -1 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

/** A file that is mostly sound UTF-8 is UTF-8 with stray bytes; one whose high bytes are mostly not is something older. */
async function encodingWithoutMark(body: Uint8Array): Promise<EncodingName> {
  const { sound, strays } = countBytes(body);
  if (strays === 0 || sound > strays) return 'utf-8';
  return (await detectLegacy(body)) ?? 'utf-8';
}

/** Bytes beyond ASCII: those of sound UTF-8 sequences, and those of none. */
function countBytes(bytes: Uint8Array): { readonly sound: number; readonly strays: number } {
  let [sound, strays] = [0, 0];
  if (isUtf8(bytes)) return { sound, strays };
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 1) sound += length;
    if (length === 0) strays++;
    at += Math.max(1, length);
  }
  return { sound, strays };
}

async function encodeText(text: string, encoding: EncodingName): Promise<Uint8Array | null> {
  return encoding === 'utf-8' ? encodeLossless(text) : encodingNamed(encoding).encode(text);
}

async function cannotHold(text: string, encoding: EncodingName): Promise<string> {
  for (const character of new Set(text)) {
    if ((await encodeText(character, encoding)) === null) return `the file is in ${encoding}, which cannot hold "${character}"`;
  }
  return `the file is in ${encoding}, which cannot hold this text`;
}

/** Where rising offsets of the text lie in the bytes; null where the file does not read back that far. */
function byteOffsets(file: TextFile, offsets: readonly number[]): number[] | null {
  const { text, markLength } = file;
  if (file.encoding !== 'utf-8') {
    const encoding = encodingNamed(file.encoding);
    const { bytesPerUnit } = encoding;
    return bytesPerUnit === null
      ? walkedOffsets(encoding, file, offsets)
      : offsets.map((offset) => markLength + offset * bytesPerUnit);
  }
  const found: number[] = [];
  let [at, byte] = [0, markLength];
  for (const offset of offsets) {
    byte += encodedLength(text.slice(at, offset));
    at = offset;
    found.push(byte);
  }
  return found;
}

function walkedOffsets(
  encoding: TextEncoding,
  { text, bytes, markLength }: TextFile,
  offsets: readonly number[],
): number[] | null {
  const found: number[] = [];
  let [unit, byte] = [0, markLength];
  for (const offset of offsets) {
    while (unit < offset && byte < bytes.length) {
      const width = encoding.widthAt(bytes, byte);
      const character = encoding.decode(bytes.subarray(byte, byte + width));
      if (!text.startsWith(character, unit) || character === '\ufffd') return null;
      unit += character.length;
      byte += width;
    }
    if (unit !== offset) return null;
    found.push(byte);
  }
  return found;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLossless(bytes: Uint8Array): string {
  return isUtf8(bytes) ? strict.decode(bytes) : decodeWithEscapes(bytes);
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Decodes runs of valid sequences and escapes each byte between them. Source: the scheme of PEP 383. */
function decodeWithEscapes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > start) pieces.push(strict.decode(bytes.subarray(start, at)));
    pieces.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at++;
    start = at;
  }
  if (at > start) pieces.push(strict.decode(bytes.subarray(start, at)));
  return pieces.join('');
}

/** The length of the valid UTF-8 sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates, and beyond U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}

function encodedLength(text: string): number {
  return text.isWellFormed() ? Buffer.byteLength(text, 'utf8') : encodeLossless(text).length;
}

function encodeLossless(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const pieces: Buffer[] = [];
  for (const piece of text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)) {
    const isEscape = piece.length === 1 && piece >= '\udc80' && piece <= '\udcff';
    if (!isEscape && !piece.isWellFormed()) throw new RangeError('the text holds half of a character (a lone surrogate)');
    pieces.push(isEscape ? Buffer.from([piece.charCodeAt(0) - 0xdc00]) : Buffer.from(piece, 'utf8'));
  }
  return Buffer.concat(pieces);
}
