import { displayText } from '../../core/display-text.ts';
import { expandTabs } from '../text/display-width.ts';
import { paintText } from '../text/span.ts';
import { wrap } from '../text/wrap.ts';
import { type ComparedLine, numbered } from './compare-lines.ts';
import { diffRows } from './diff-rows.ts';
import { changesOf, type Hunk } from './hunks.ts';
import { diffPlace, type RenderDiffOptions } from './render-diff.ts';

type PatchOptions = Omit<RenderDiffOptions, 'path'>;
type SignedLine = Pick<ComparedLine, 'sign' | 'text'>;

interface OpenHunk {
  readonly before: number | null;
  readonly after: number | null;
  /** Lines that the head promises; null where it names none, as in ApplyPatch's format. */
  readonly left: { before: number; after: number } | null;
  readonly lines: SignedLine[];
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Patch text, as ApplyPatch takes it and GitDiff gives it, as rows for a terminal. What is no part of a hunk is shown as it stands. */
export function renderPatch(patch: string, options: PatchOptions): readonly string[] {
  const rows: string[] = [];
  let hunks: Hunk[] = [];
  let open: OpenHunk | null = null;
  const finishHunk = (): void => {
    if (open !== null && open.lines.length > 0) hunks.push(changesOf(linesOf(open)));
    open = null;
  };
  const finishFile = (): void => {
    finishHunk();
    for (const row of diffRows(hunks, { ...diffPlace(options), showsLineEnds: false })) rows.push(row);
    hunks = [];
  };
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const begun = beginHunk(line);
    if (begun !== null) {
      finishHunk();
      open = begun;
    } else if (open !== null && takeLine(open, line)) continue;
    else {
      finishFile();
      for (const row of plainRows(line, options)) rows.push(row);
    }
    if (begun === null && line.startsWith('*** Add File: ')) open = { before: 1, after: 1, left: null, lines: [] };
  }
  finishFile();
  return rows;
}

function beginHunk(line: string): OpenHunk | null {
  const [head, before, beforeCount = '1', after, afterCount = '1'] = HEAD.exec(line) ?? [];
  if (head !== undefined) {
    const left = { before: Number(beforeCount), after: Number(afterCount) };
    return { before: Number(before), after: Number(after), left, lines: [] };
  }
  return line.startsWith('@@') ? { before: null, after: null, left: null, lines: [] } : null;
}

/** A head without numbers says nothing of where its lines stand. */
function linesOf({ before, after, lines }: OpenHunk): readonly ComparedLine[] {
  if (before === null || after === null) return lines.map((line) => ({ ...line, before: null, after: null }));
  return numbered(lines, before, after);
}

/** Puts a line into a hunk; false where it is none of it. */
function takeLine({ left, lines }: OpenHunk, line: string): boolean {
  const last = lines.at(-1);
  if (line.startsWith('\\ ') && last !== undefined) {
    lines[lines.length - 1] = { ...last, text: last.text.replace(/\n$/, '') };
    return true;
  }
  const sign = line === '' ? ' ' : line[0];
  if (sign !== ' ' && sign !== '-' && sign !== '+') return false;
  if (left !== null && left.before <= 0 && left.after <= 0) return false;
  if (left !== null && sign !== '+') left.before--;
  if (left !== null && sign !== '-') left.after--;
  lines.push({ sign, text: `${line.slice(1)}\n` });
  return true;
}

function plainRows(line: string, { width, theme }: PatchOptions): readonly string[] {
  const isHead = /^(?:\*\*\* |diff |--- |\+\+\+ )/.test(line);
  const text = expandTabs(displayText(line.replace(/\r$/, '')));
  return wrap(text, width).map((row) => paintText(row, isHead ? 'bold' : 'plain', theme));
}
