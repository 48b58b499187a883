import type { TextChange } from '../host/text/text-file.ts';
import type { PatchHunk } from './patch-format.ts';

/** What hunks change in a text, or which hunk did not fit: 1-based, with the lines that were looked for. */
export type HunkOutcome =
  | { readonly changes: readonly TextChange[] }
  | { readonly failed: number; readonly wanted: readonly string[]; readonly why: string };

/** A line with its own end, which may be empty in the last one, and where it starts in the text. */
interface Line {
  readonly text: string;
  readonly end: string;
  readonly start: number;
}

/** Places hunks in their order, each below the one before. Lines that are kept are not touched; a new line takes the end of the line in its place. */
export function applyHunks(text: string, hunks: readonly PatchHunk[]): HunkOutcome {
  const lines = splitWithEnds(text);
  const changes: TextChange[] = [];
  let at = 0;
  for (const [i, hunk] of hunks.entries()) {
    const place = findHunk(lines, hunk, at);
    if ('why' in place) return { failed: i + 1, wanted: oldLines(hunk), why: place.why };
    changes.push(...changesOf(lines, hunk, { at: place.start, textLength: text.length }));
    at = place.start + oldLines(hunk).length;
  }
  return { changes };
}

function splitWithEnds(text: string): Line[] {
  let start = 0;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((whole) => {
    const end = /\r?\n$/.exec(whole)?.[0] ?? '';
    const line = { text: whole.slice(0, whole.length - end.length), end, start };
    start += whole.length;
    return line;
  });
}

function oldLines(hunk: PatchHunk): string[] {
  return hunk.lines.flatMap(({ op, text }) => (op === 'add' ? [] : [text]));
}

function findHunk(lines: readonly Line[], hunk: PatchHunk, from: number): { readonly start: number } | { readonly why: string } {
  let start = from;
  for (const header of hunk.headers) {
    const found = lines.findIndex((line, i) => i >= start && line.text.trim() === header.trim());
    if (found === -1) return { why: `the line "${header}" that @@ names is not below` };
    start = found + 1;
  }
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return { start: hunk.headers.length > 0 ? start : lines.length };
  const last = lines.length - wanted.length;
  const fits = (same: (a: string, b: string) => boolean) => (at: number) =>
    wanted.every((line, i) => same(lines[at + i]?.text ?? '', line));
  const candidates = hunk.isAtEnd ? [last] : Array.from({ length: Math.max(0, last - start + 1) }, (_, i) => start + i);
  for (const same of [isSame, isSameToTheEye]) {
    const found = candidates.find((at) => at >= start && fits(same)(at));
    if (found !== undefined) return { start: found };
  }
  return { why: hunk.isAtEnd ? 'its lines are not at the end of the file' : 'its lines are not below' };
}

function isSame(a: string, b: string): boolean {
  return a === b;
}

/** White space at a line's end does not show, so a model cannot copy it. The file's own stays. */
function isSameToTheEye(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}

/** One change for each run of removed and added lines. */
function changesOf(
  lines: readonly Line[],
  hunk: PatchHunk,
  from: { readonly at: number; readonly textLength: number },
): TextChange[] {
  const changes: TextChange[] = [];
  let run = { first: from.at, added: [] as string[] };
  let at = from.at;
  const close = (): void => {
    if (at > run.first || run.added.length > 0) changes.push(changeOf(lines, { ...run, next: at, textLength: from.textLength }));
    run = { first: at, added: [] };
  };
  for (const { op, text } of hunk.lines) {
    if (op === 'keep') {
      close();
      run.first = ++at;
    } else if (op === 'remove') at++;
    else run.added.push(text);
  }
  close();
  return changes;
}

interface Run {
  readonly first: number;
  /** The line behind the removed ones. */
  readonly next: number;
  readonly added: readonly string[];
  readonly textLength: number;
}

function changeOf(lines: readonly Line[], { first, next, added, textLength }: Run): TextChange {
  const start = lines[first]?.start ?? textLength;
  const end = lines[next]?.start ?? textLength;
  const removedEnds = lines.slice(first, next).map((line) => line.end);
  const isAtEnd = next >= lines.length;
  const hadNoEnd = lines.at(-1)?.end === '';
  const written = added.map((text, i) => text + (removedEnds[i] || endFor(lines, Math.min(first + i, next))));
  // Whether the file ends with a line end is the file's own matter.
  const closing = isAtEnd && hadNoEnd ? (written.at(-1)?.match(/\r?\n$/)?.[0].length ?? 0) : 0;
  const replacement = written.join('');
  const needsEndBefore = isAtEnd && hadNoEnd && first >= lines.length && added.length > 0;
  return {
    start,
    end,
    replacement: (needsEndBefore ? endFor(lines, lines.length) : '') + replacement.slice(0, replacement.length - closing),
  };
}

/** The end of the line in this place, else of the one before it, else a plain line feed. */
function endFor(lines: readonly Line[], at: number): string {
  const near = [lines[at]?.end, lines[at - 1]?.end, lines[at - 2]?.end].find((end) => end !== undefined && end !== '');
  return near ?? '\n';
}
