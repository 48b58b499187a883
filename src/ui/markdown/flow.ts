import { displayWidth, truncate } from '../text/display-width.ts';
import { paint, paintText } from '../text/span.ts';
import { wrapSpans } from '../text/wrap.ts';
import { addCodeLine, type CodeBlock, openCode } from './code-block.ts';
import { readInline } from './inline.ts';
import { indentOf, interruptsParagraph, type LineShape, type ListMark, shapeOf } from './line-shape.ts';
import { closeParagraph, emptyParagraph, extendParagraph, type Frame, type Paragraph, type Step } from './paragraph.ts';
import { addTableRow, closeTable, openTable, type Table } from './table.ts';

/** Blocks one below the other: a document, or what stands in a quote or a list item. Only the last one can still change. */
export interface Flow {
  readonly open: Block | null;
  /** The kind of the block above, since a blank row goes between two of them; null where there is none. */
  readonly above: Block['kind'] | 'line' | null;
  /** How many quotes and lists it stands in. */
  readonly depth: number;
}

interface Quote {
  readonly kind: 'quote';
  readonly inner: Flow;
}

interface List {
  readonly kind: 'list';
  readonly sign: string;
  readonly number: number | null;
  readonly indent: number;
  /** What goes before the item's first row; null once it is written. */
  readonly mark: string | null;
  readonly markWidth: number;
  readonly hasBlank: boolean;
  readonly inner: Flow;
}

type Block = Paragraph | CodeBlock | Table | Quote | List;
/** A step of a block; null for the state where the block ended with that line. */
type BlockStep = Step<Block | null>;

const MAX_DEPTH = 24;
const MIN_WIDTH = 8;

export const emptyFlow: Flow = { open: null, above: null, depth: 0 };

/** The next line of a flow, without its end. It holds no tabs and no control characters. */
export function readLine(flow: Flow, line: string, frame: Frame): Step<Flow> {
  const { open } = flow;
  const step = open === null ? null : continueBlock(open, line, frame);
  if (open !== null && step !== null) return { state: afterBlock(flow, open, step.state), rows: step.rows };
  const closed = closeFlow(flow, frame);
  const begun = beginBlock({ ...flow, open: null, above: open?.kind ?? flow.above }, shapeOf(line), line, frame);
  return { state: begun.state, rows: [...closed, ...begun.rows] };
}

/** More of the line that was read last, which was too long to wait for its end. */
export function readMore(flow: Flow, text: string, frame: Frame): Step<Flow> {
  const { open } = flow;
  if (open?.kind === 'quote' || open?.kind === 'list') {
    const step = withinContainer(open, frame, (inner, innerFrame) => readMore(inner, text, innerFrame));
    return { state: { ...flow, open: step.state }, rows: step.rows };
  }
  const step = open?.kind === 'code' ? addCodeLine(open, text, frame) : null;
  if (step !== null) return { state: { ...flow, open: step.state }, rows: step.rows };
  const closed = open?.kind === 'table' ? closeTable(open, frame) : [];
  const { state, rows } = extendParagraph(open?.kind === 'paragraph' ? open : emptyParagraph, text, frame);
  return { state: { ...flow, open: state }, rows: [...closed, ...rows] };
}

/** The rows of what is still open, as if the text ended here. */
export function closeFlow({ open }: Flow, frame: Frame): readonly string[] {
  switch (open?.kind) {
    case 'paragraph':
      return closeParagraph(open, frame);
    case 'table':
      return closeTable(open, frame);
    case 'quote':
      return withinContainer(open, frame, closing).rows;
    case 'list':
      return closeItem(open, frame);
    default:
      return [];
  }
}

/** Whether the next line belongs to a code block, wherever that stands. */
export function isInCode({ open }: Flow): boolean {
  return open?.kind === 'code' || ((open?.kind === 'quote' || open?.kind === 'list') && isInCode(open.inner));
}

function closing(inner: Flow, frame: Frame): Step<Flow> {
  return { state: inner, rows: closeFlow(inner, frame) };
}

function afterBlock(flow: Flow, block: Block, next: Block | null): Flow {
  return next === null ? { ...flow, open: null, above: block.kind } : { ...flow, open: next };
}

/** The step of an open block, or null where the line is not its own. */
function continueBlock(block: Block, line: string, frame: Frame): BlockStep | null {
  switch (block.kind) {
    case 'paragraph':
      return continueParagraph(block, line, frame);
    case 'code':
      return continueCode(block, line, frame);
    case 'table':
      return line.includes('|') && !interruptsParagraph(shapeOf(line)) ? addTableRow(block, line, frame) : null;
    case 'quote':
      return continueQuote(block, line, frame);
    case 'list':
      return continueList(block, line, frame);
  }
}

function continueParagraph(block: Paragraph, line: string, frame: Frame): BlockStep | null {
  const text = line.trimStart();
  if (!block.isCut && /^ {0,3}(?:=+|-+) *$/.test(line)) {
    return { state: null, rows: headingRows(text.startsWith('=') ? 1 : 2, block.pending, frame) };
  }
  const begin = block.pending.lastIndexOf('\n') + 1;
  const table = begin > 0 || !block.isCut ? openTable(block.pending.slice(begin), line, frame) : null;
  if (table !== null && begin === 0) return { state: table, rows: [] };
  if (table !== null) {
    return { state: table, rows: [...closeParagraph({ ...block, pending: block.pending.slice(0, begin) }, frame), ''] };
  }
  return interruptsParagraph(shapeOf(line)) ? null : extendParagraph(block, `\n${text}`, frame);
}

function continueCode(block: CodeBlock, line: string, frame: Frame): BlockStep | null {
  const { end } = block;
  const isBlank = line.trim() === '';
  switch (end.type) {
    case 'fence':
      if (endsFence(line, end.mark)) return { state: null, rows: [] };
      return addCodeLine(block, line.slice(Math.min(end.indent, indentOf(line))), frame);
    case 'dedent':
      if (isBlank) return { state: { ...block, blanks: block.blanks + 1 }, rows: [] };
      return indentOf(line) >= 4 ? addCodeLine(block, line.slice(4), frame) : null;
    case 'blank':
      return isBlank ? null : addCodeLine(block, line, frame);
  }
}

function endsFence(line: string, mark: string): boolean {
  const text = line.trim();
  return indentOf(line) < 4 && text.length >= mark.length && text === (mark[0] ?? '').repeat(text.length);
}

function continueQuote(block: Quote, line: string, frame: Frame): BlockStep | null {
  const shape = shapeOf(line);
  const rest = shape.kind === 'quote' ? shape.rest : isLazy(block.inner, shape) ? line.trimStart() : null;
  return rest === null ? null : withinContainer(block, frame, (inner, innerFrame) => readLine(inner, rest, innerFrame));
}

function continueList(block: List, line: string, frame: Frame): BlockStep | null {
  const shape = shapeOf(line);
  const put = (text: string, hasBlank = false): BlockStep =>
    withinContainer({ ...block, hasBlank }, frame, (inner, innerFrame) => readLine(inner, text, innerFrame));
  if (shape.kind === 'blank') return put('', true);
  const indent = indentOf(line);
  if (indent >= block.indent) return put(line.slice(block.indent));
  if (shape.kind === 'item' && isSibling(block, shape)) {
    const next = openItem(shape, { number: block.number === null ? null : block.number + 1, depth: block.inner.depth }, frame);
    return { state: next.state, rows: [...closeItem(block, frame), ...(block.hasBlank ? [''] : []), ...next.rows] };
  }
  // Models often indent a list inside of a numbered one by less than the number takes.
  if (shape.kind === 'item' && indent >= 2) return put(line.trimStart());
  return !block.hasBlank && isLazy(block.inner, shape) ? put(line.trimStart()) : null;
}

function isSibling(block: List, mark: ListMark): boolean {
  return mark.sign === block.sign && (mark.number === null) === (block.number === null);
}

/** Whether a line without the signs of its container still goes on with the paragraph at its end. */
function isLazy({ open }: Flow, shape: LineShape): boolean {
  if (shape.kind === 'blank' || interruptsParagraph(shape)) return false;
  return open?.kind === 'paragraph' || ((open?.kind === 'quote' || open?.kind === 'list') && isLazy(open.inner, shape));
}

/** What a line begins where no block is open. */
function beginBlock(flow: Flow, shape: LineShape, line: string, frame: Frame): Step<Flow> {
  if (shape.kind === 'blank') return { state: flow, rows: [] };
  const isNested = flow.depth < MAX_DEPTH;
  const isTight =
    flow.above === null || (flow.depth > 0 && shape.kind === 'item' && (flow.above === 'paragraph' || flow.above === 'list'));
  const begun = beginShape(shape, line, { depth: flow.depth + 1, isNested }, frame);
  const state: Flow = { ...flow, open: begun.state, above: begun.state === null ? 'line' : flow.above };
  return { state, rows: [...(isTight ? [] : ['']), ...begun.rows] };
}

function beginShape(
  shape: LineShape,
  line: string,
  { depth, isNested }: { readonly depth: number; readonly isNested: boolean },
  frame: Frame,
): BlockStep {
  switch (shape.kind) {
    case 'heading':
      return { state: null, rows: headingRows(shape.level, shape.text, frame) };
    case 'rule':
      return { state: null, rows: [paintText('─'.repeat(frame.width), 'border', frame.theme)] };
    case 'fence':
      return { state: openCode({ type: 'fence', mark: shape.mark, indent: shape.indent }, shape.info), rows: [] };
    case 'indented':
      return addCodeLine(openCode({ type: 'dedent' }), shape.text, frame);
    case 'html':
      return addCodeLine(openCode({ type: 'blank' }), line, frame);
    default:
      if (isNested && shape.kind === 'quote') return openQuote(shape.rest, depth, frame);
      if (isNested && shape.kind === 'item') return openItem(shape, { number: shape.number, depth }, frame);
      return extendParagraph(emptyParagraph, line.trimStart(), frame);
  }
}

function openQuote(rest: string, depth: number, frame: Frame): BlockStep {
  const quote: Quote = { kind: 'quote', inner: { ...emptyFlow, depth } };
  return withinContainer(quote, frame, (inner, innerFrame) => readLine(inner, rest, innerFrame));
}

function openItem(
  { sign, indent, rest }: ListMark,
  { number, depth }: { readonly number: number | null; readonly depth: number },
  frame: Frame,
): BlockStep {
  const task = /^\[([ xX])\](?: +|$)(.*)$/.exec(rest);
  const mark = number === null ? '• ' : `${number}${sign} `;
  const box = task === null ? '' : task[1] === ' ' ? '☐ ' : '☑ ';
  const shown = number === null && box !== '' ? box : mark + box;
  const list: List = {
    kind: 'list',
    sign,
    number,
    indent,
    mark: shown,
    markWidth: displayWidth(shown),
    hasBlank: false,
    inner: { ...emptyFlow, depth },
  };
  return withinContainer(list, frame, (inner, innerFrame) => readLine(inner, task?.[2] ?? rest, innerFrame));
}

/** An item with nothing in it still has its mark. */
function closeItem(list: List, frame: Frame): readonly string[] {
  const { state, rows } = withinContainer(list, frame, closing);
  return state.mark === null ? rows : [...rows, markOf(list.mark ?? '', frame)];
}

/** A step of what stands inside of a container, its rows behind the container's signs. */
function withinContainer<C extends Quote | List>(
  container: C,
  frame: Frame,
  step: (inner: Flow, frame: Frame) => Step<Flow>,
): Step<C> {
  const room = frame.width - (container.kind === 'quote' ? 2 : container.markWidth);
  const isNarrow = room < MIN_WIDTH;
  const { state, rows } = step(container.inner, { ...frame, width: isNarrow ? frame.width : room });
  const next = { ...container, inner: state };
  if (container.kind === 'quote') {
    const bar = isNarrow ? '' : paintText('│ ', 'border', frame.theme);
    return { state: next, rows: rows.map((row) => (bar + row).trimEnd()) };
  }
  const { mark, markWidth } = container;
  const indented = isNarrow ? rows : rows.map((row) => (row === '' ? '' : ' '.repeat(markWidth) + row));
  if (mark === null || rows.length === 0) return { state: next, rows: indented };
  const shown = markOf(mark, frame);
  const first = isNarrow ? [shown, ...rows.slice(0, 1)] : [(shown + (rows[0] ?? '')).trimEnd()];
  return { state: { ...next, mark: null }, rows: [...first, ...indented.slice(1)] };
}

function markOf(mark: string, { width, theme }: Frame): string {
  return paintText(truncate(mark, width), 'listMark', theme);
}

function headingRows(level: number, text: string, { width, theme }: Frame): readonly string[] {
  const title = readInline(text, theme).map((span) => ({ ...span, styles: ['heading' as const, ...span.styles] }));
  const spans = [{ text: `${'#'.repeat(level)} `, styles: ['heading' as const] }, ...title];
  return wrapSpans(spans, width).map((line) => paint(line, theme).trimEnd());
}
