import { graphemes, graphemeWidth, isNarrow } from './graphemes.ts';

/** A character as a reader sees it, with the columns that it takes. */
export interface Glyph {
  readonly text: string;
  readonly width: number;
}

// What a terminal obeys rather than shows: SGR and other CSI sequences, and OSC sequences such as links.
// oxlint-disable-next-line no-control-regex -- escape sequences begin with these bytes
const ESCAPE = /\u001b\[[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const MAX_REMEMBERED = 4096;

/** How many columns a text takes in a terminal. Its escape sequences take none. */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  const shown = text.includes('\u001b') ? withoutEscapes(text) : text;
  return isNarrow(shown) ? shown.length : graphemes(shown).reduce((sum, glyph) => sum + glyphWidth(glyph), 0);
}

/** The text without its escape sequences. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(ESCAPE, '');
}

/** The glyphs of a text without escape sequences: whole graphemes, so that nothing is ever cut inside of one. */
export function glyphsOf(text: string): readonly Glyph[] {
  if (isNarrow(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return graphemes(text).map((glyph) => ({ text: glyph, width: glyphWidth(glyph) }));
}

/** The text cut to so many columns, the last one a `…` where something is missing. Escape sequences are all kept, so that styles end. */
export function truncate(text: string, width: number, mark = '…'): string {
  if (displayWidth(text) <= width) return text;
  const room = Math.max(0, width - displayWidth(mark));
  if (isNarrow(text)) return text.slice(0, room) + (width > 0 ? mark : '');
  const escapes = text.match(ESCAPE) ?? [];
  let left = room;
  let cut = '';
  for (const [index, part] of text.split(ESCAPE).entries()) {
    const { fitting, isCut } = fittingPart(part, left);
    if (left >= 0) cut += fitting + (isCut && width > 0 ? mark : '');
    left = isCut ? -1 : left - displayWidth(fitting);
    cut += escapes[index] ?? '';
  }
  return cut;
}

function fittingPart(text: string, room: number): { readonly fitting: string; readonly isCut: boolean } {
  if (room < 0) return { fitting: '', isCut: true };
  let fitting = '';
  let left = room;
  for (const glyph of glyphsOf(text)) {
    if (glyph.width > left) return { fitting, isCut: true };
    fitting += glyph.text;
    left -= glyph.width;
  }
  return { fitting, isCut: false };
}

/** The text with spaces behind it, so that it takes so many columns. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The text with each tab as the spaces to the next stop. */
export function expandTabs(text: string, stop = 4): string {
  if (!text.includes('\t')) return text;
  let line = '';
  for (const part of text.split(/(\t|\n)/)) {
    if (part === '\t') line += ' '.repeat(stop - (displayWidth(line.slice(line.lastIndexOf('\n') + 1)) % stop));
    else line += part;
  }
  return line;
}

// A cache alone: what it holds never changes what is answered.
const widths = new Map<string, number>();

function glyphWidth(glyph: string): number {
  if (glyph.length === 1 && isNarrow(glyph)) return 1;
  const known = widths.get(glyph);
  if (known !== undefined) return known;
  const width = graphemeWidth(glyph);
  if (widths.size < MAX_REMEMBERED && glyph.length < 16) widths.set(glyph, width);
  return width;
}
