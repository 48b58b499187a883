import { displayWidth } from '../text/display-width.ts';
import { paint, paintText, type Span } from '../text/span.ts';
import { wrapSpans } from '../text/wrap.ts';
import { readInline } from './inline.ts';
import type { Frame, Step } from './paragraph.ts';

type Align = 'left' | 'center' | 'right';
type Cell = readonly Span[];
type Row = readonly Cell[];

/** A table on its way. Its first rows decide how wide the columns are; until then they wait. */
export interface Table {
  readonly kind: 'table';
  readonly header: Row;
  readonly aligns: readonly Align[];
  readonly waiting: readonly Row[];
  /** What the widest cell of each column would like to have; null while rows still wait. */
  readonly wanted: readonly number[] | null;
}

const DELIMITER = /^\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$/;
const SAMPLE_ROWS = 8;
const MIN_COLUMN = 4;
const BETWEEN = ' │ '.length;

/** The table that a header and the line below it begin, or null where they begin none. */
export function openTable(header: string, delimiter: string, { theme }: Frame): Table | null {
  if (!`${header}${delimiter}`.includes('|') || !DELIMITER.test(delimiter.trim())) return null;
  const cells = cellsOf(header);
  const aligns = cellsOf(delimiter).map(alignOf);
  if (cells.length !== aligns.length) return null;
  return { kind: 'table', header: cells.map((cell) => readInline(cell, theme)), aligns, waiting: [], wanted: null };
}

/** A row put below a table. */
export function addTableRow(table: Table, line: string, frame: Frame): Step<Table> {
  const row = fitting(cellsOf(line), table.header.length).map((cell) => readInline(cell, frame.theme));
  if (table.wanted !== null)
    return { state: table, rows: rowsBelow([row], { table, wanted: table.wanted, frame, isFirst: false }) };
  const state: Table = { ...table, waiting: [...table.waiting, row] };
  if (state.waiting.length < SAMPLE_ROWS) return { state, rows: [] };
  return { state: { ...state, waiting: [], wanted: wantedWidths(state) }, rows: closeTable(state, frame) };
}

/** The rows of a table that still wait, with its head. */
export function closeTable(table: Table, frame: Frame): readonly string[] {
  if (table.wanted !== null) return [];
  const wanted = wantedWidths(table);
  const below = rowsBelow(table.waiting, { table, wanted, frame, isFirst: true });
  const widths = columnWidths(wanted, frame.width);
  if (widths === null && table.waiting.length > 0) return below;
  if (widths === null) return table.header.flatMap((cell) => painted(asHead(cell), frame));
  const rule = paintText(widths.map((width) => '─'.repeat(width)).join('─┼─'), 'border', frame.theme);
  return [...gridRow(table.header.map(asHead), table.aligns, { widths, frame }), rule, ...below];
}

interface Layout {
  readonly table: Table;
  readonly wanted: readonly number[];
  readonly frame: Frame;
  readonly isFirst: boolean;
}

function rowsBelow(rows: readonly Row[], { table, wanted, frame, isFirst }: Layout): readonly string[] {
  const widths = columnWidths(wanted, frame.width);
  if (widths !== null) return rows.flatMap((row) => gridRow(row, table.aligns, { widths, frame }));
  return rows.flatMap((row, index) => [...(isFirst && index === 0 ? [] : ['']), ...recordRows(row, table.header, frame)]);
}

/** A row whose columns do not fit beside each other: one line for each cell. */
function recordRows(row: Row, header: Row, frame: Frame): readonly string[] {
  return row.flatMap((cell, index) => painted([...asHead(header[index] ?? []), { text: ': ', styles: [] }, ...cell], frame));
}

function painted(spans: Cell, { width, theme }: Frame): readonly string[] {
  return wrapSpans(spans, width).map((line) => paint(line, theme).trimEnd());
}

function asHead(cell: Cell): Cell {
  return cell.map((span): Span => ({ ...span, styles: ['tableHead', ...span.styles] }));
}

function gridRow(
  row: Row,
  aligns: readonly Align[],
  { widths, frame: { theme } }: { readonly widths: readonly number[]; readonly frame: Frame },
): readonly string[] {
  const columns = widths.map((width, index) => wrapSpans(row[index] ?? [], width));
  const height = Math.max(...columns.map((lines) => lines.length));
  const bar = paintText(' │ ', 'border', theme);
  const cell = (index: number, line: number): string => {
    const spans = columns[index]?.[line] ?? [];
    const room = Math.max(0, (widths[index] ?? 0) - displayWidth(spans.map((span) => span.text).join('')));
    return aligned(paint(spans, theme), aligns[index] ?? 'left', room);
  };
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((_width, index) => cell(index, line))
      .join(bar)
      .trimEnd(),
  );
}

function aligned(text: string, align: Align, room: number): string {
  const before = { left: 0, center: Math.floor(room / 2), right: room }[align];
  return ' '.repeat(before) + text + ' '.repeat(room - before);
}

function wantedWidths({ header, waiting }: Table): readonly number[] {
  return header.map((cell, column) => Math.max(1, widestLine(cell), ...waiting.map((row) => widestLine(row[column] ?? []))));
}

function widestLine(cell: Cell): number {
  const text = cell.map((span) => span.text).join('');
  return Math.max(...text.split('\n').map(displayWidth));
}

/** What each column gets: what it wants, but the widest give way first. Null where even the least does not fit. */
function columnWidths(wanted: readonly number[], width: number): readonly number[] | null {
  const room = width - BETWEEN * (wanted.length - 1);
  if (sumCapped(wanted, MIN_COLUMN) > room) return null;
  let cap = MIN_COLUMN;
  while (cap < room && sumCapped(wanted, cap + 1) <= room) cap++;
  let left = room - sumCapped(wanted, cap);
  return wanted.map((each) => (each > cap && left-- > 0 ? cap + 1 : Math.min(each, cap)));
}

function sumCapped(wanted: readonly number[], cap: number): number {
  return wanted.reduce((sum, each) => sum + Math.min(each, cap), 0);
}

/** The cells of a line. A bar behind a backslash is text. */
function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Nothing that stands in a row is lost: what is too much goes into the last cell. */
function fitting(cells: readonly string[], count: number): readonly string[] {
  if (cells.length <= count) return cells;
  return [...cells.slice(0, count - 1), cells.slice(count - 1).join(' | ')];
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'center' : 'right';
}
