/** A text file in memory. `text` is lossless: a byte that is no UTF-8 stands in it as a lone surrogate U+DC80 to U+DCFF. */
export interface TextFile {
  readonly text: string;
  readonly encoding: 'utf-8';
  readonly hasBom: boolean;
}

const SNIFF_BYTES = 512;
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

/** A NUL in the first 512 bytes marks a file that is not text. */
export function isBinary(head: Uint8Array): boolean {
  return head.subarray(0, SNIFF_BYTES).includes(0);
}

/** Decodes a file, or null where it is binary. `encodeText` gives back the same bytes. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  if (isBinary(bytes)) return null;
  const hasBom = hasUtf8Bom(bytes);
  const body = hasBom ? bytes.subarray(BOM.length) : bytes;
  return { text: decodeLossless(body), encoding: 'utf-8', hasBom };
}

/** The bytes of a text as the file writes it. Errors: throws where the text holds a lone surrogate that `decodeText` cannot have made. */
export function encodeText(text: string, like: Pick<TextFile, 'hasBom'>): Uint8Array {
  const body = text.isWellFormed() ? Buffer.from(text, 'utf8') : encodeLossless(text);
  return like.hasBom ? withUtf8Bom(body) : body;
}

/** True where a file starts with the byte order mark of UTF-8. */
export function hasUtf8Bom(bytes: Uint8Array): boolean {
  return BOM.every((byte, i) => bytes[i] === byte);
}

/** The same bytes behind a byte order mark. */
export function withUtf8Bom(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([BOM, bytes]);
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

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLossless(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeWithEscapes(bytes);
  }
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

function encodeLossless(text: string): Uint8Array {
  const pieces: Buffer[] = [];
  for (const piece of text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)) {
    const isEscape = piece.length === 1 && piece >= '\udc80' && piece <= '\udcff';
    if (!isEscape && !piece.isWellFormed()) throw new RangeError('the text holds half of a character (a lone surrogate)');
    pieces.push(isEscape ? Buffer.from([piece.charCodeAt(0) - 0xdc00]) : Buffer.from(piece, 'utf8'));
  }
  return Buffer.concat(pieces);
}
