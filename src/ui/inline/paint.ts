import { displayWidth } from '../text/display-width.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** What the screen should show next: lines that now belong to the scrollback, and below them the rows that may still change. */
export interface Frame {
  /** Printed once, in this order, and never touched again. */
  readonly committed: readonly string[];
  /** No wider than the screen; they hold our own styles and nothing else that steers. */
  readonly live: readonly string[];
  /** Where the cursor stands in the live rows, or null for nowhere. */
  readonly caret: { readonly row: number; readonly column: number } | null;
}

/** The live rows as they stand on the screen, and where the cursor was left. */
export interface Painted {
  readonly rows: readonly string[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
  readonly columns: number;
  readonly isCursorHidden: boolean;
}

/**
 * What a terminal does with lines that a narrower window cuts: it breaks them in several rows, or not that of the cursor, or it cuts them.
 * xterm.js leaves the cursor's own line alone. Source: xterm.js, ITerminalOptions.reflowCursorLine
 */
export type Reflow = 'all' | 'not-cursor-line' | 'none';

/** Nothing of ours on the screen; the cursor at the start of a row. */
export function nothingPainted({ columns }: ScreenSize): Painted {
  return { rows: [], cursorRow: 0, cursorColumn: 0, columns, isCursorHidden: false };
}

const START_FRAME = '\u001b[?2026h\u001b[?25l';
const END_FRAME = '\u001b[?2026l';
const SHOW_CURSOR = '\u001b[?25h';
const ERASE_ROW = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
// A row that turns out wider than we thought must not break into two.
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** The bytes that lead from what stands on the screen to the frame: empty where nothing changed. */
export function paint(painted: Painted, frame: Frame, { size, reflow }: { readonly size: ScreenSize; readonly reflow: Reflow }) {
  const isSame = frame.committed.length === 0 && size.columns === painted.columns && painted.rows.length > 0;
  const body = isSame ? changedRows(painted, frame) : wholeFrame(painted, frame, size, reflow);
  const caret = caretOf(frame);
  const next: Painted = {
    rows: frame.live,
    cursorRow: caret.row,
    cursorColumn: caret.column,
    columns: size.columns,
    isCursorHidden: frame.caret === null,
  };
  if (body === '' && isSame && isWhereItWas(painted, next)) return { bytes: '', painted: next };
  const end = frame.caret === null ? '' : SHOW_CURSOR;
  const from = body === '' ? painted.cursorRow : lastRow(painted, frame, isSame);
  return { bytes: `${START_FRAME}${body}${moveRows(from, caret.row)}${toColumn(caret.column)}${end}${END_FRAME}`, painted: next };
}

/** Takes the live rows off the screen; the cursor stands where they began. */
export function erase(painted: Painted, { size, reflow }: { readonly size: ScreenSize; readonly reflow: Reflow }): string {
  return `${toTop(painted, size, reflow)}${ERASE_BELOW}${SHOW_CURSOR}`;
}

function isWhereItWas(before: Painted, next: Painted): boolean {
  return (
    before.cursorRow === next.cursorRow &&
    before.cursorColumn === next.cursorColumn &&
    before.isCursorHidden === next.isCursorHidden
  );
}

function caretOf({ caret, live }: Frame): { readonly row: number; readonly column: number } {
  return caret ?? { row: Math.max(0, live.length - 1), column: 0 };
}

function wholeFrame(painted: Painted, frame: Frame, size: ScreenSize, reflow: Reflow): string {
  const committed = frame.committed.map((line) => `${line}\r\n`).join('');
  return `${toTop(painted, size, reflow)}${ERASE_BELOW}${committed}${NO_WRAP}${frame.live.join('\r\n')}${WRAP}`;
}

/** Only the rows that differ. */
function changedRows({ rows, cursorRow }: Painted, { live }: Frame): string {
  let at = cursorRow;
  let body = '';
  for (const [row, text] of live.entries()) {
    if (rows[row] === text) continue;
    // Below the last row a line feed makes room; above it one would not scroll.
    body += row < rows.length ? `${moveRows(at, row)}\r` : `${moveRows(at, Math.max(0, row - 1))}\r\n`;
    body += `${ERASE_ROW}${text}`;
    at = row;
  }
  if (live.length < rows.length) body += `${moveRows(at, live.length)}\r${ERASE_BELOW}`;
  return body === '' ? '' : `${NO_WRAP}${body}${WRAP}`;
}

/** In which row the cursor stands after the body. */
function lastRow({ rows }: Painted, { live }: Frame, isSame: boolean): number {
  if (!isSame) return Math.max(0, live.length - 1);
  if (live.length < rows.length) return live.length;
  return live.findLastIndex((text, row) => rows[row] !== text);
}

function toTop(painted: Painted, size: ScreenSize, reflow: Reflow): string {
  return `${moveRows(Math.min(rowsAboveCursor(painted, size.columns, reflow), size.rows - 1), 0)}\r`;
}

/** The rows above the cursor, counted anew: a narrower window may have broken them in several. */
function rowsAboveCursor({ rows, cursorRow, cursorColumn, columns }: Painted, now: number, reflow: Reflow): number {
  if (now >= columns || reflow === 'none') return cursorRow;
  const above = rows.slice(0, cursorRow).reduce((sum, row) => sum + Math.max(1, Math.ceil(displayWidth(row) / now)), 0);
  return above + (reflow === 'all' ? Math.floor(cursorColumn / now) : 0);
}

function moveRows(from: number, to: number): string {
  if (from === to) return '';
  return from > to ? `\u001b[${from - to}A` : `\u001b[${to - from}B`;
}

function toColumn(column: number): string {
  return column === 0 ? '\r' : `\r\u001b[${column}C`;
}
