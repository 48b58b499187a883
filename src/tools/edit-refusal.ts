import { lineAt, readableText, splitLines } from '../host/text-file.ts';
import { type ClosestBlock, findClosestBlock } from './closest-block.ts';
import { occurrences } from './find-text.ts';
import type { Span } from './placement.ts';

const MAX_LISTED_LINES = 20;

/** Why an old_string that stands nowhere was not found, and what to do next. */
export function notFoundRefusal(path: string, text: string, oldText: string, newText: string): string {
  const unnumbered = withoutLineNumbers(oldText);
  if (unnumbered !== null) {
    return `old_string was not found in ${path}: it carries the line numbers that ReadFile shows, which are not in the file. Send it without them: ${JSON.stringify(unnumbered)}`;
  }
  if (newText !== '' && occurrences(text, newText).length === 1) {
    return `Already applied: new_string stands in ${path} at line ${lineAt(text, text.indexOf(newText))} and old_string nowhere. Nothing was changed.`;
  }
  const lines = splitLines(text);
  const block = findClosestBlock(lines, splitLines(oldText));
  const stale = `old_string was not found in ${path}; what you remember of it may be out of date.`;
  if (block === null) return `${stale} Nothing in the file is similar. Read it with ReadFile, or find the place with Grep.`;
  return `${stale} ${closestWords(lines, block)} Read it again with ReadFile near line ${block.firstLine + 1}.`;
}

/** Why an old_string that stands several times was refused. */
export function severalRefusal(path: string, text: string, spans: readonly Span[]): string {
  const lines = spans.slice(0, MAX_LISTED_LINES).map(({ start }) => lineAt(text, start));
  const more = spans.length > MAX_LISTED_LINES ? ' and more' : '';
  return `old_string occurs ${spans.length} times in ${path} (lines ${lines.join(', ')}${more}); nothing was changed. Add surrounding lines until it occurs once, or set replace_all.`;
}

function closestWords(lines: readonly string[], { firstLine, lineCount, difference }: ClosestBlock): string {
  const place = lineCount === 1 ? `line ${firstLine + 1}` : `lines ${firstLine + 1} to ${firstLine + lineCount}`;
  if (difference === null) return `The closest is ${place}, which differs only at its edges.`;
  const cause = squeezed(difference.wanted) === squeezed(difference.found) ? 'only in white space, ' : '';
  return [
    `The closest is ${place}; it differs first ${cause}at line ${difference.line + 1} (· is a space, → a tab):`,
    `  file:       ${visible(lines[difference.line] ?? '')}`,
    `  old_string: ${visible(difference.wanted)}`,
  ].join('\n');
}

/** White space at the edges and all tabs made visible; a long line is cut. */
function visible(line: string): string {
  const shown = readableText(line)
    .replace(/^[ \t]+|[ \t\r]+$/g, (space) => space.replaceAll(' ', '·').replaceAll('\r', '␍'))
    .replaceAll('\t', '→')
    .replaceAll('\u00a0', '<U+00A0>');
  return shown.length > 300 ? `${[...shown].slice(0, 300).join('')}…` : shown;
}

function squeezed(line: string): string {
  return line.replaceAll(/\s+/g, '');
}

/** The text without the gutter of ReadFile, where each of its lines has one. */
function withoutLineNumbers(text: string): string | null {
  const lines = text.split('\n');
  const hasNumbers = lines.every((line, i) => /^\s*\d+\t/.test(line) || (i === lines.length - 1 && line === ''));
  return hasNumbers ? lines.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n') : null;
}
