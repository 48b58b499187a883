import { graphemes } from '../text/graphemes.ts';

/** Text with a caret, which stands between two characters as a reader counts them. `caret` is an offset in UTF-16. */
export interface TextBuffer {
  readonly text: string;
  readonly caret: number;
}

export const EMPTY_BUFFER: TextBuffer = { text: '', caret: 0 };

export function bufferOf(text: string): TextBuffer {
  return { text, caret: text.length };
}

export function insert({ text, caret }: TextBuffer, added: string): TextBuffer {
  return { text: text.slice(0, caret) + added + text.slice(caret), caret: caret + added.length };
}

export function moveBy(buffer: TextBuffer, direction: -1 | 1): TextBuffer {
  return { ...buffer, caret: direction < 0 ? previous(buffer) : next(buffer) };
}

export function moveToLineEdge(buffer: TextBuffer, edge: 'start' | 'end'): TextBuffer {
  return { ...buffer, caret: edge === 'start' ? lineStart(buffer) : lineEnd(buffer) };
}

export function moveToEdge({ text }: TextBuffer, edge: 'start' | 'end'): TextBuffer {
  return { text, caret: edge === 'start' ? 0 : text.length };
}

export function moveByWord(buffer: TextBuffer, direction: -1 | 1): TextBuffer {
  return { ...buffer, caret: direction < 0 ? wordStart(buffer) : wordEnd(buffer) };
}

export function deleteBy(buffer: TextBuffer, direction: -1 | 1): TextBuffer {
  return direction < 0 ? cut(buffer, previous(buffer), buffer.caret) : cut(buffer, buffer.caret, next(buffer));
}

/** What a cut leaves, and what it took. */
export interface CutText {
  readonly buffer: TextBuffer;
  readonly taken: string;
}

export function cutWord(buffer: TextBuffer, direction: -1 | 1): CutText {
  return direction < 0 ? taken(buffer, wordStart(buffer), buffer.caret) : taken(buffer, buffer.caret, wordEnd(buffer));
}

/** To the edge of the line; at the edge it takes the line end, so that pressed again it goes on. */
export function cutToLineEdge(buffer: TextBuffer, edge: 'start' | 'end'): CutText {
  if (edge === 'start') {
    const start = lineStart(buffer);
    return taken(buffer, start === buffer.caret ? previous(buffer) : start, buffer.caret);
  }
  const end = lineEnd(buffer);
  return taken(buffer, buffer.caret, end === buffer.caret ? next(buffer) : end);
}

function taken(buffer: TextBuffer, from: number, to: number): CutText {
  return { buffer: cut(buffer, from, to), taken: buffer.text.slice(from, to) };
}

function cut({ text }: TextBuffer, from: number, to: number): TextBuffer {
  return { text: text.slice(0, from) + text.slice(to), caret: from };
}

// A grapheme is looked for in its own line only: a text may be long.
function previous(buffer: TextBuffer): number {
  const start = lineStart(buffer);
  if (buffer.caret === start) return Math.max(0, buffer.caret - 1);
  return buffer.caret - (graphemes(buffer.text.slice(start, buffer.caret)).at(-1)?.length ?? 0);
}

function next(buffer: TextBuffer): number {
  const end = lineEnd(buffer);
  if (buffer.caret === end) return Math.min(buffer.text.length, end + 1);
  return buffer.caret + (graphemes(buffer.text.slice(buffer.caret, end))[0]?.length ?? 0);
}

function lineStart({ text, caret }: TextBuffer): number {
  // From -1 lastIndexOf would look at the first character.
  return caret === 0 ? 0 : text.lastIndexOf('\n', caret - 1) + 1;
}

function lineEnd({ text, caret }: TextBuffer): number {
  const end = text.indexOf('\n', caret);
  return end === -1 ? text.length : end;
}

function wordStart({ text, caret }: TextBuffer): number {
  return caret - (/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u.exec(text.slice(0, caret))?.[0].length ?? 0);
}

function wordEnd({ text, caret }: TextBuffer): number {
  return caret + (/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u.exec(text.slice(caret))?.[0].length ?? 0);
}
