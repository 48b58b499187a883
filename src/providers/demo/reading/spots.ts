import { isFileName } from '../understanding/path-words.ts';

/** Where a text stands in a file: line and column, both 0-based. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** A part of a file that stands in it exactly once, and what it becomes. */
export interface SpotEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** All places of a text, without overlaps, line by line. A text of several lines has its place where it begins. */
export function spotsOf(lines: readonly string[], text: string): readonly Spot[] {
  if (text === '') return [];
  const [head = '', ...rest] = text.split('\n');
  if (rest.length === 0) return lines.flatMap((row, line) => columnsOf(row, text).map((column) => ({ line, column })));
  return lines.flatMap((row, line) => {
    const isHere =
      row.endsWith(head) &&
      lines
        .slice(line, line + rest.length + 1)
        .join('\n')
        .startsWith(text, row.length - head.length);
    return isHere ? [{ line, column: row.length - head.length }] : [];
  });
}

function columnsOf(row: string, text: string): readonly number[] {
  const columns: number[] = [];
  for (let at = row.indexOf(text); at >= 0; at = row.indexOf(text, at + text.length)) columns.push(at);
  return columns;
}

/** The places of a text that are not part of a longer word. */
export function wholeWordSpots(lines: readonly string[], text: string): readonly Spot[] {
  return spotsOf(lines, text).filter(({ line, column }) => {
    const row = lines[line] ?? '';
    const after = row.slice(column + text.length);
    return !(isWordEnd(row.slice(0, column).at(-1)) && isWordEnd(text[0])) && !(isWordEnd(after[0]) && isWordEnd(text.at(-1)));
  });
}

/** Whether a place is inside a quoted path or module name with a folder or an extension ("./add.js"), which names a file and nothing in the code. */
export function isInQuotedPath(lines: readonly string[], { line, column }: Spot): boolean {
  return [...(lines[line] ?? '').matchAll(QUOTED)].some(({ index, groups }) => {
    const text = groups?.['text'] ?? '';
    const isInside = column > index && column <= index + text.length;
    // `${add}/x` has code in it.
    const isCode = text.lastIndexOf('${', column - index - 1) > text.lastIndexOf('}', column - index - 1);
    return isInside && !isCode && !/\s/.test(text) && (text.includes('/') || isFileName(text));
  });
}

const QUOTED = /(["'`])(?<text>(?:\\.|(?!\1).)*)\1/g;

/**
 * Edits that replace a text at some of its spots and nowhere else. Each takes as many lines around as it needs to stand in the
 * file only once; what would overlap is one edit.
 */
export function uniqueEdits(lines: readonly string[], spots: readonly Spot[], texts: Texts): readonly SpotEdit[] {
  const height = texts.from.split('\n').length;
  const rows = [...new Set(spots.map((spot) => spot.line))];
  const windows = merged(rows.map((row) => windowAround(lines, { first: row, last: row + height })));
  return windows.map((window) => {
    const inside = spots.filter(({ line }) => line >= window.first && line < window.last);
    const oldText = textOf(lines, window);
    return {
      oldText,
      newText: replacedAt(
        oldText,
        inside.map((spot) => offsetIn(lines, window, spot)),
        texts,
      ),
    };
  });
}

/** An edit of the lines from `start` up to and without `end`, widened until its old text stands in the file only once. */
export function uniqueEdit(
  lines: readonly string[],
  span: { readonly start: number; readonly end: number; readonly changed: string },
): SpotEdit {
  const window = windowAround(lines, { first: span.start, last: span.end });
  const newText = [...lines.slice(window.first, span.start), span.changed, ...lines.slice(span.end, window.last)].join('\n');
  return { oldText: textOf(lines, window), newText };
}

interface Texts {
  readonly from: string;
  readonly to: string;
}

/** Lines from `first` up to and without `last`. */
interface Window {
  readonly first: number;
  readonly last: number;
}

function windowAround(lines: readonly string[], { first, last }: Window): Window {
  const whole = lines.join('\n');
  let window: Window = { first, last };
  for (;;) {
    const text = textOf(lines, window);
    const isWhole = window.first === 0 && window.last >= lines.length;
    if (isWhole || (text !== '' && whole.indexOf(text) === whole.lastIndexOf(text))) return window;
    window = { first: Math.max(0, window.first - 1), last: Math.min(lines.length, window.last + 1) };
  }
}

function merged(windows: readonly Window[]): readonly Window[] {
  return windows.reduce<readonly Window[]>((done, window) => {
    const before = done.at(-1);
    if (before === undefined || window.first >= before.last) return [...done, window];
    return [...done.slice(0, -1), { first: Math.min(before.first, window.first), last: Math.max(before.last, window.last) }];
  }, []);
}

function textOf(lines: readonly string[], { first, last }: Window): string {
  return lines.slice(first, last).join('\n');
}

function offsetIn(lines: readonly string[], { first }: Window, { line, column }: Spot): number {
  return lines.slice(first, line).reduce((sum, row) => sum + row.length + 1, column);
}

function replacedAt(text: string, offsets: readonly number[], { from, to }: Texts): string {
  return offsets.toReversed().reduce((rest, at) => rest.slice(0, at) + to + rest.slice(at + from.length), text);
}

function isWordEnd(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_$]/.test(character);
}
