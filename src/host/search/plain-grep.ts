import type { GrepLine } from '../../core/ports.ts';
import type { PlainPattern } from './plain-pattern.ts';
import { readLine } from './printed-line.ts';

export interface TextSearch {
  readonly contextLines: number;
  readonly countsOnly: boolean;
  /** Of how many matches lines are kept; all are counted. */
  readonly maxMatches: number;
}

/** What a text holds: how many of its lines match, and the first of them with their context. */
export interface TextMatches {
  readonly matches: number;
  readonly lines: readonly GrepLine[];
}

/** A line with a match, from 0, and the offset in it at which the first one starts. */
interface MatchedLine {
  readonly line: number;
  readonly offset: number;
}

/** Searches a text as rg does: by lines, or as a whole where a match can hold line ends; then counts are of matches and not of lines. */
export function searchText(text: string, { regex, crossesLines }: PlainPattern, search: TextSearch): TextMatches {
  if (search.countsOnly && crossesLines) return { matches: countMatches(text, regex), lines: [] };
  const found = crossesLines ? linesOfMatches(text, regex) : matchingLines(text, regex);
  return {
    matches: found.length,
    lines: search.countsOnly || search.maxMatches === 0 || found.length === 0 ? [] : shownLines(text, found, search),
  };
}

/** For a regex that matches no line end: the lines in which it matches, from one match to the next. */
function matchingLines(text: string, regex: RegExp): MatchedLine[] {
  const found: MatchedLine[] = [];
  for (let line = 0, start = 0; start < text.length; line++) {
    regex.lastIndex = start;
    const match = regex.exec(text);
    if (match === null) break;
    for (let end = lineEnd(text, start); end < match.index; end = lineEnd(text, start)) {
      start = end + 1;
      line++;
    }
    if (start < text.length) found.push({ line, offset: match.index - start });
    start = lineEnd(text, start) + 1;
  }
  return found;
}

function linesOfMatches(text: string, regex: RegExp): MatchedLine[] {
  const found: MatchedLine[] = [];
  // The line that is looked at, and where it starts.
  let [line, start] = [0, 0];
  for (const match of matchesIn(text, regex)) {
    const last = Math.max(match.index, match.index + match[0].length - 1);
    for (let end = lineEnd(text, start); start <= last; end = lineEnd(text, start)) {
      const isTouched = end >= match.index;
      if (isTouched && found.at(-1)?.line !== line) found.push({ line, offset: Math.max(0, match.index - start) });
      // The next match may start in the same line.
      if (end >= last) break;
      start = end + 1;
      line++;
    }
  }
  return found;
}

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 ? text.length : newline;
}

function countMatches(text: string, regex: RegExp): number {
  let count = 0;
  for (const _match of matchesIn(text, regex)) count++;
  return count;
}

/** Behind the last line end no line starts, so nothing is found there. */
function* matchesIn(text: string, regex: RegExp): Generator<RegExpExecArray> {
  for (const match of text.matchAll(regex)) {
    if (match.index < text.length) yield match;
  }
}

function shownLines(text: string, found: readonly MatchedLine[], { contextLines, maxMatches }: TextSearch): GrepLine[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = new Map<number, number | null>();
  const kept = found.slice(0, maxMatches);
  // What follows a match that is not kept is not context of one that is.
  const end = Math.min(lines.length, found[maxMatches]?.line ?? lines.length);
  for (const { line } of kept)
    for (let at = Math.max(0, line - contextLines); at <= line + contextLines && at < end; at++) shown.set(at, null);
  for (const { line, offset } of kept) shown.set(line, offset);
  return [...shown].toSorted(([a], [b]) => a - b).map(([line, offset]) => grepLine(line + 1, lines[line] ?? '', offset));
}

function grepLine(line: number, text: string, offset: number | null): GrepLine {
  const bytes = Buffer.from(text, 'utf8');
  const matchAt = offset === null ? null : Buffer.byteLength(text.slice(0, offset), 'utf8');
  return readLine({ line, matchAt, textStart: 0 }, bytes, bytes.length, 0);
}
