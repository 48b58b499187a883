import type { GrepFile, GrepLine, GrepOutcome } from '../core/ports.ts';

/** What Grep takes. */
export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly context?: number;
  readonly ignore_case?: boolean;
  readonly output_mode?: 'content' | 'files' | 'count';
  readonly max_results?: number;
  readonly multiline?: boolean;
  readonly include_ignored?: boolean;
}

/** How many matches are shown where the model names no number. */
export const DEFAULT_RESULTS = 100;
const MAX_LINE_CHARS = 500;
const STOPPED = { deadline: 'after 20 s', flood: 'at 512 MB of matches' };

/** The regular expression for a text itself. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Why a pattern or glob was refused, and how to write the text itself. */
export function patternHelp({ pattern, glob }: GrepInput, fault: string): string {
  if (fault.includes('error parsing glob')) return `The glob ${glob} is not valid: ${fault}`;
  // rg offers engines that this tool does not have.
  const reason = fault.split('\n\n')[0] ?? fault;
  return `The pattern is not valid:\n${reason}\nTo search for the text itself, write ${escapePattern(pattern)}`;
}

/** What a search found, or that it found nothing, in words. `literal`: what a search for the pattern as plain text found instead. */
export function grepAnswer(
  root: string,
  input: GrepInput,
  { outcome, literal, isFile }: { readonly outcome: GrepOutcome; readonly literal: GrepOutcome | null; readonly isFile: boolean },
): string {
  const notes = [
    outcome.stoppedBy === null
      ? null
      : `Stopped ${STOPPED[outcome.stoppedBy]}: this answer is partial. Narrow pattern, path or glob.`,
    isFile && input.glob !== undefined && input.glob !== '' ? 'The glob was left aside: path is a single file.' : null,
    ...outcome.notes,
  ].filter((note) => note !== null);
  if (outcome.totalMatches === 0)
    return `${nothingFound(root, input, outcome)}${literalHint(input.pattern, literal)}\n\n${notes.join('\n')}`.trimEnd();
  const body = bodyOf(input, outcome);
  const least = outcome.isLowerBound === true ? 'At least ' : '';
  const head = `${least}${plural(outcome.totalMatches, 'match', 'matches')} in ${plural(outcome.totalFiles, 'file', 'files')} under ${root}:`;
  return [head, ...body.lines, '', ...(body.more === null ? [] : [body.more]), ...notes].join('\n').trimEnd();
}

function nothingFound(root: string, { pattern, glob }: GrepInput, { filesSearched, stoppedBy }: GrepOutcome): string {
  if (stoppedBy !== null) return `No match for ${pattern} so far under ${root}.`;
  if (filesSearched === 0 && glob !== undefined)
    return `No file that is looked at under ${root} matches the glob ${glob}, so nothing was searched for ${pattern}.${glob.startsWith('/') ? ' Write the glob relative to that folder.' : ''}`;
  const dialect = pattern.includes('\\|') ? ' Here alternation is written | and not \\|.' : '';
  return `No match for ${pattern} in ${plural(filesSearched, 'file', 'files')} under ${root}.${dialect}`;
}

function literalHint(pattern: string, literal: GrepOutcome | null): string {
  const first = literal?.files[0];
  if (literal === null || first === undefined) return '';
  const place = first.lines[0] === undefined ? first.path : `${first.path}:${first.lines[0].line}`;
  return ` The text itself does occur (${plural(literal.totalMatches, 'match', 'matches')}, first ${place}): to find it write ${escapePattern(pattern)}`;
}

function bodyOf(
  input: GrepInput,
  { files, totalMatches, totalFiles, isLowerBound }: GrepOutcome,
): { lines: string[]; more: string | null } {
  if (input.output_mode === 'files' || input.output_mode === 'count') {
    const lines = files.map(({ path, matches }) => {
      const name = oneLine(path);
      return input.output_mode === 'files' ? name : `${name}: ${matches}`;
    });
    const left = totalFiles - files.length;
    return { lines, more: left > 0 ? `${left} more files not shown: narrow path or glob.` : null };
  }
  const max = input.max_results ?? DEFAULT_RESULTS;
  const left = totalMatches - max;
  return {
    lines: renderMatches(files, max, input.context ?? 0),
    more:
      left > 0
        ? `${isLowerBound === true ? 'At least ' : ''}${left} more matches not shown: narrow the pattern, path or glob, or raise max_results.`
        : null,
  };
}

function renderMatches(files: readonly GrepFile[], max: number, contextLines: number): string[] {
  const out: string[] = [];
  let left = max;
  for (const { path, lines } of files) {
    if (left === 0) break;
    const shown = firstMatches(lines, left, contextLines);
    left -= shown.filter(({ matchStart }) => matchStart !== null).length;
    shown.forEach((line, i) => {
      const before = shown[i - 1];
      const isGap = contextLines > 0 && out.length > 0 && (before === undefined || line.line > before.line + 1);
      if (isGap) out.push('--');
      out.push(renderLine(path, line));
    });
  }
  return out;
}

/** The first matches with their context, and not the context of the next. */
function firstMatches(lines: readonly GrepLine[], max: number, contextLines: number): readonly GrepLine[] {
  const matches = lines.filter(({ matchStart }) => matchStart !== null);
  const last = matches[max - 1];
  const next = matches[max];
  if (last === undefined || next === undefined) return lines;
  return lines.filter(({ line }) => line < next.line && line <= last.line + contextLines);
}

function renderLine(path: string, line: GrepLine): string {
  const mark = line.matchStart === null ? '-' : ':';
  return `${oneLine(path)}${mark}${line.line}${mark} ${aroundMatch(line)}`;
}

function oneLine(path: string): string {
  return path.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** A long line is cut around its match, at code points. */
function aroundMatch({ text, matchStart, pieceOf }: GrepLine): string {
  const { start, chars } = pieceOf ?? { start: 0, chars: text.length };
  if (chars <= MAX_LINE_CHARS) return text.toWellFormed();
  const from = Math.max(0, Math.min((matchStart ?? 0) - MAX_LINE_CHARS / 4, text.length - MAX_LINE_CHARS));
  const piece = text
    .slice(from, from + MAX_LINE_CHARS)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .toWellFormed();
  const isStart = start + from === 0;
  const isEnd = start + from + MAX_LINE_CHARS >= chars;
  return `${isStart ? '' : '…'}${piece}${isEnd ? '' : '…'} [line of ${chars} characters]`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
