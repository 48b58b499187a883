/** What was pasted and is shown as a marker, by the character that stands for it in the text. */
export type Pastes = ReadonlyMap<string, string>;

/** Above so many lines a paste is shown as a marker. */
const MAX_SHOWN_LINES = 10;
const MAX_SHOWN_CHARS = 4000;
// One private character a marker, so that the caret passes it and a key deletes it as a whole.
const FIRST_MARK = 0x10f000;
const FIRST_IMAGE = 0x10f800;
const MARKS = /[\u{10f000}-\u{10fffd}]/gu;
// oxlint-disable-next-line no-control-regex -- what would steer the terminal is no text
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from outside as the editor holds it: line ends are `\n`, tabs are blanks, and nothing in it steers or stands for a paste. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(CONTROLS, '')
    .replaceAll(MARKS, '\ufffd');
}

/** What a paste adds to the text: itself, or a marker for a long one. A line end at its end is left out: it would look like a wish to send. */
export function takePaste(pasted: string, pastes: Pastes): { readonly added: string; readonly pastes: Pastes } {
  const text = cleanText(pasted).replace(/\n+$/, '');
  if (countLines(text) <= MAX_SHOWN_LINES && text.length <= MAX_SHOWN_CHARS) return { added: text, pastes };
  const mark = String.fromCodePoint(FIRST_MARK + pastes.size + 1);
  return { added: mark, pastes: new Map([...pastes, [mark, text]]) };
}

/** The text with what was pasted in place of its markers; those of images stay until the text is sent. */
export function expandPastes(text: string, pastes: Pastes): string {
  return text.replaceAll(MARKS, (mark) => (isImage(mark) ? mark : (pastes.get(mark) ?? '')));
}

/** The text with markers as a person reads them. */
export function showPastes(text: string, pastes: Pastes): string {
  return text.replaceAll(MARKS, (mark) => markerOf(mark, pastes));
}

/** `[Pasted #1 42 lines]`, or null for a character that is no marker. */
export function markerLabel(character: string, pastes: Pastes): string | null {
  return pastes.has(character) || isImage(character) ? markerOf(character, pastes) : null;
}

/** The character that stands for the n-th image of a chat, from 1. */
export function imageMark(number: number): string {
  return String.fromCodePoint(FIRST_IMAGE + number);
}

/** The image markers of a text, each once. */
export function imageMarksIn(text: string): readonly string[] {
  return [...new Set(text.match(MARKS) ?? [])].filter(isImage);
}

function isImage(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > FIRST_IMAGE;
}

function markerOf(mark: string, pastes: Pastes): string {
  if (isImage(mark)) return `[Image #${(mark.codePointAt(0) ?? 0) - FIRST_IMAGE}]`;
  const text = pastes.get(mark) ?? '';
  const lines = countLines(text);
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  return `[Pasted #${(mark.codePointAt(0) ?? 0) - FIRST_MARK} ${size}]`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
