import { applyChanges, lineAt, readableText, type TextChange } from '../host/text/text-file.ts';
import type { Placement } from './placement.ts';

const AROUND_LINES = 3;
const MAX_SHOWN_LINES = 40;
const MAX_LINE_CHARS = 500;
const MAX_DIFF_CHARS = 20_000;

/** A text as it was, and what was changed in it, from left to right; at least one change. */
export interface AppliedEdit {
  readonly text: string;
  readonly changes: readonly TextChange[];
}

/** What programs learn of an edit: the first changed piece before and after, for showing a diff. */
export interface EditFacts {
  readonly replacements: number;
  readonly firstLine: number;
  readonly before: string;
  readonly after: string;
}

const MATCHED: Record<Placement['how'], string> = {
  exact: '',
  'line-ends': ' (matched with line ends folded; the lines keep their own)',
  indentation: ' (matched with its indentation shifted; new_string was shifted alike)',
};

/** What a model reads of an edit: how it matched, and the changed place with a few numbered lines around it. */
export function describeEdit(path: string, how: Placement['how'], edit: AppliedEdit): string {
  const { changes } = edit;
  const head = `Edited ${path}: ${changes.length === 1 ? 'one place' : `${changes.length} places`}${MATCHED[how]}.`;
  const window = windowOf(edit);
  if (window.text === '' && window.isWhole) return `${head} The file is empty now.`;
  const notes = window.leavesEmptyLine ? ' An empty line stays where the text was deleted.' : '';
  const more = changes.length === 1 ? '' : '\nThe first of them:';
  return `${head}${notes}${more}\n${numbered(window)}`;
}

/** The same for programs. */
export function factsOfEdit({ text, changes }: AppliedEdit): EditFacts {
  const first = firstOf(changes);
  return {
    replacements: changes.length,
    firstLine: lineAt(text, first.start),
    before: readableText(text.slice(first.start, first.end).slice(0, MAX_DIFF_CHARS)),
    after: readableText(first.replacement.slice(0, MAX_DIFF_CHARS)),
  };
}

interface EditWindow {
  /** The lines around the first change as they are now. */
  readonly text: string;
  readonly firstLine: number;
  readonly isWhole: boolean;
  readonly leavesEmptyLine: boolean;
}

/** Only the lines around the first change are made anew: the file may be large. */
function windowOf({ text, changes }: AppliedEdit): EditWindow {
  const first = firstOf(changes);
  const from = lineStartAbove(text, first.start);
  const to = lineEndBelow(text, first.end);
  const inside = changes
    .filter(({ start, end }) => start >= from && end <= Math.max(to, first.end))
    .map(({ start, end, replacement }) => ({ start: start - from, end: end - from, replacement }));
  const now = applyChanges(text.slice(from, Math.max(to, first.end)), inside);
  const at = first.start - from;
  const isDeletion = first.replacement === '' && (first.start === 0 || text[first.start - 1] === '\n');
  return {
    text: now,
    firstLine: lineAt(text, from),
    isWhole: from === 0 && to >= text.length - 1,
    leavesEmptyLine: isDeletion && /^\r?\n/.test(text.slice(first.end, first.end + 2)) && at <= now.length,
  };
}

function firstOf([first]: readonly TextChange[]): TextChange {
  if (first === undefined) throw new TypeError('an edit has at least one change');
  return first;
}

function numbered({ text, firstLine }: EditWindow): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines
    .slice(0, MAX_SHOWN_LINES)
    .map((line, i) => `${firstLine + i}\t${shorten(readableText(line.replace(/\r$/, '')))}`)
    .join('\n');
}

function shorten(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${[...line].slice(0, MAX_LINE_CHARS).join('')}…` : line;
}

function lineStartAbove(text: string, offset: number): number {
  let newline = offset;
  for (let lines = 0; lines <= AROUND_LINES; lines++) {
    newline = newline <= 0 ? -1 : text.lastIndexOf('\n', newline - 1);
    if (newline === -1) return 0;
  }
  return newline + 1;
}

function lineEndBelow(text: string, offset: number): number {
  let end = Math.max(0, offset - 1);
  for (let lines = 0; lines <= AROUND_LINES; lines++) {
    const next = text.indexOf('\n', lines === 0 && offset === 0 ? 0 : end + (lines === 0 ? 0 : 1));
    if (next === -1) return text.length;
    end = next;
  }
  return end;
}
