import { displayText } from '../../core/display-text.ts';
import { expandTabs } from '../text/display-width.ts';
import type { Theme } from '../theme.ts';
import { closeFlow, emptyFlow, type Flow, isInCode, readLine, readMore } from './flow.ts';
import { isUndecided } from './line-shape.ts';
import type { Step } from './paragraph.ts';

export interface MarkdownOptions {
  /** Columns; no row is wider. From 2. */
  readonly width: number;
  readonly theme: Theme;
}

/** Rows that are ready: `finished` are given once and never change, `open` are the rows of what may. They are drawn when they are read. */
export interface MarkdownRows {
  readonly finished: readonly string[];
  readonly open: readonly string[];
}

export interface MarkdownStream {
  readonly push: (text: string) => MarkdownRows;
  /** What follows is drawn for another width; finished rows are not. */
  readonly resize: (width: number) => MarkdownRows;
  /** The rows that were open, finished. */
  readonly end: () => readonly string[];
}

/** How much of a line is waited for. Text is read on from there; a table's row or a line of code is cut. */
const MAX_WAIT = { text: 128, code: 1024, table: 4096 } as const;
/** Room to cut before a glyph rather than inside of it. */
const MARGIN = 40;

/**
 * Markdown that comes in pieces, as rows for a terminal. Each piece costs as much as it is long, plus drawing what is open, which stays
 * small: long blocks are given out line by line. How the text was cut into pieces never shows.
 */
export function createMarkdownStream(options: MarkdownOptions): MarkdownStream {
  let frame = options;
  let flow = emptyFlow;
  let text = '';
  let isWithinLine = false;
  const take = ({ state, rows }: Step<Flow>): readonly string[] => {
    flow = state;
    return rows;
  };
  const read = (line: string): readonly string[] => take((isWithinLine ? readMore : readLine)(flow, line, frame));
  const rowsOf = (finished: readonly string[]): MarkdownRows => {
    const seen = { flow, text, frame, isWithinLine };
    let open: readonly string[] | null = null;
    return {
      finished,
      get open() {
        open ??= openRows(seen);
        return open;
      },
    };
  };
  return {
    push: (piece) => {
      text += piece;
      const finished: string[] = [];
      let start = 0;
      for (let part = nextPart(text, start, flow); part !== null; part = nextPart(text, start, flow)) {
        const line = text.slice(start, part.end);
        if (!isWithinLine || line !== '') for (const row of read(shownLine(line))) finished.push(row);
        isWithinLine = !part.isWhole;
        start = part.next;
      }
      text = text.slice(start);
      return rowsOf(finished);
    },
    resize: (width) => {
      frame = { ...frame, width };
      return rowsOf([]);
    },
    end: () => {
      const rows = text === '' ? [] : read(shownLine(text));
      const closed = closeFlow(flow, frame);
      flow = emptyFlow;
      text = '';
      isWithinLine = false;
      return [...rows, ...closed];
    },
  };
}

interface Seen {
  readonly flow: Flow;
  readonly text: string;
  readonly frame: MarkdownOptions;
  readonly isWithinLine: boolean;
}

/** What is open, drawn as if the text ended here. A line that only has signs yet is left out, since it would flicker. */
function openRows({ flow, text, frame, isWithinLine }: Seen): readonly string[] {
  const line = shownLine(text);
  if (line === '' || (!isWithinLine && isUndecided(line))) return closeFlow(flow, frame);
  const { state, rows } = (isWithinLine ? readMore : readLine)(flow, line, frame);
  return [...rows, ...closeFlow(state, frame)];
}

function shownLine(line: string): string {
  return expandTabs(displayText(line.endsWith('\r') ? line.slice(0, -1) : line));
}

interface Part {
  readonly end: number;
  readonly next: number;
  readonly isWhole: boolean;
}

/** The next line, or the beginning of one that is too long; null where the text does not reach that far. It depends on the text alone. */
function nextPart(text: string, start: number, flow: Flow): Part | null {
  const window = text.slice(start, start + MAX_WAIT.table + MARGIN);
  const end = window.indexOf('\n');
  const wait = waitFor(window.slice(0, MAX_WAIT.text), flow);
  if (end !== -1 && end <= wait) return { end: start + end, next: start + end + 1, isWhole: true };
  if (window.length < wait + MARGIN && end === -1) return null;
  if (window.length <= wait) return null;
  const cut = start + cutBefore(window, wait);
  return { end: cut, next: cut, isWhole: false };
}

function waitFor(beginning: string, flow: Flow): number {
  if (isInCode(flow)) return MAX_WAIT.code;
  return beginning.includes('|') ? MAX_WAIT.table : MAX_WAIT.text;
}

/** A place at or before `at` that lies behind a plain character and before none that belongs to it. */
function cutBefore(text: string, at: number): number {
  for (let place = at; place > at - MARGIN; place--) {
    if (/^[\u0020-\u007e\u3000-\u9fff][\u0020-\u007e\u3000-\u9fff]/.test(text.slice(place - 1, place + 1))) return place;
  }
  const isHalf = /[\udc00-\udfff]/.test(text[at] ?? '');
  return isHalf ? at - 1 : at;
}
