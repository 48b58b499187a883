import { graphemes, graphemeWidth } from '../text/graphemes.ts';
import type { TextBuffer } from './text-buffer.ts';

/** One row as it is drawn, and which part of the text stands in it. */
export interface TextRow {
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  /** Where each character begins: its column and its offset in the text; the end of the row is the last. */
  readonly stops: readonly { readonly column: number; readonly offset: number }[];
}

export interface TextLayout {
  readonly rows: readonly TextRow[];
  readonly caretRow: number;
  readonly caretColumn: number;
}

/** Lays a text out in rows of so many columns. `labelOf` gives what is shown in place of a character that stands for something else. */
export function layoutText(
  { text, caret }: TextBuffer,
  width: number,
  labelOf: (character: string) => string | null = () => null,
): TextLayout {
  const rows: TextRow[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    addRows(rows, line, { offset, width: Math.max(2, width), labelOf });
    offset += line.length + 1;
  }
  // Where a row is full the caret stands at the start of the next.
  const at = rows.findLastIndex((row) => row.start <= caret);
  const row = rows[at];
  const stop = row?.stops.findLast((candidate) => candidate.offset <= caret);
  return { rows, caretRow: Math.max(0, at), caretColumn: stop?.column ?? 0 };
}

/** The caret moved by whole rows, at the column where it is or the nearest; null at the first or last row. */
export function moveByRow(buffer: TextBuffer, width: number, direction: -1 | 1): TextBuffer | null {
  const { rows, caretRow, caretColumn } = layoutText(buffer, width);
  const row = rows[caretRow + direction];
  if (row === undefined) return null;
  const stop = row.stops.findLast(({ column }) => column <= caretColumn);
  return { ...buffer, caret: stop?.offset ?? row.start };
}

interface LineFacts {
  readonly offset: number;
  readonly width: number;
  readonly labelOf: (character: string) => string | null;
}

function addRows(rows: TextRow[], line: string, { offset, width, labelOf }: LineFacts): void {
  let open = emptyRow(offset);
  for (const character of graphemes(line)) {
    const shown = labelOf(character) ?? character;
    const taken = [...graphemes(shown)].reduce((sum, part) => sum + graphemeWidth(part), 0);
    if (open.column > 0 && open.column + taken > width) {
      rows.push(closed(open));
      open = emptyRow(open.offset);
    }
    open.stops.push({ column: open.column, offset: open.offset });
    open.shown += shown;
    open.column += taken;
    open.offset += character.length;
  }
  rows.push(closed(open));
  // A full last row leaves no column for the caret.
  if (open.column >= width) rows.push(closed(emptyRow(open.offset)));
}

interface OpenRow {
  shown: string;
  column: number;
  offset: number;
  readonly start: number;
  readonly stops: { column: number; offset: number }[];
}

function emptyRow(start: number): OpenRow {
  return { shown: '', column: 0, offset: start, start, stops: [] };
}

function closed({ shown, start, offset, column, stops }: OpenRow): TextRow {
  return { shown, start, end: offset, stops: [...stops, { column, offset }] };
}
