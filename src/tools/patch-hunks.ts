import type { PatchHunk } from './patch-format.ts';

/** A file's text after its hunks, or which hunk did not fit: 1-based, with the lines that were looked for. */
export type HunkOutcome =
  | { readonly text: string }
  | { readonly failed: number; readonly wanted: readonly string[]; readonly why: string };

/** A line with its own end, which may be empty in the last one. */
interface Line {
  readonly text: string;
  readonly end: string;
}

/** Applies hunks in their order, each below the one before. Lines that are kept stay byte for byte; a new line takes the end of the line in its place. */
export function applyHunks(text: string, hunks: readonly PatchHunk[]): HunkOutcome {
  const lines = splitWithEnds(text);
  const pieces: Line[] = [];
  let at = 0;
  for (const [i, hunk] of hunks.entries()) {
    const place = findHunk(lines, hunk, at);
    if ('why' in place) return { failed: i + 1, wanted: oldLines(hunk), why: place.why };
    pieces.push(...lines.slice(at, place.start), ...replaced(lines, hunk, place.start));
    at = place.start + oldLines(hunk).length;
  }
  return { text: [...pieces, ...lines.slice(at)].map(({ text: line, end }) => line + end).join('') };
}

function splitWithEnds(text: string): Line[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? '';
    return { text: line.slice(0, line.length - end.length), end };
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

function replaced(lines: readonly Line[], hunk: PatchHunk, start: number): Line[] {
  const out: Line[] = [];
  let removedEnds: string[] = [];
  let at = start;
  for (const { op, text } of hunk.lines) {
    const line = lines[at];
    if (op === 'add') {
      out.push({ text, end: removedEnds.shift() ?? endFor(lines, at) });
      continue;
    }
    if (op === 'keep') removedEnds = [];
    else if (line !== undefined && line.end !== '') removedEnds.push(line.end);
    if (op === 'keep' && line !== undefined) out.push(line);
    at++;
  }
  return closed(out, lines, at);
}

/** The end of the line in this place, else of the one before it, else a plain line feed. */
function endFor(lines: readonly Line[], at: number): string {
  const near = [lines[at]?.end, lines[at - 1]?.end, lines[at - 2]?.end].find((end) => end !== undefined && end !== '');
  return near ?? '\n';
}

/** Whether the file ends with a line end is the file's own matter; only the last line may be without one. */
function closed(out: readonly Line[], lines: readonly Line[], at: number): Line[] {
  const isAtEnd = at >= lines.length;
  const hadNoEnd = lines.at(-1)?.end === '';
  return out.map((line, i) => {
    const isLast = isAtEnd && i === out.length - 1;
    if (isLast && hadNoEnd) return { ...line, end: '' };
    return line.end === '' ? { ...line, end: endFor(lines, lines.length - 1) } : line;
  });
}
