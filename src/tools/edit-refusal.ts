import { lineAt, readableText, splitLines } from '../host/text/text-file.ts';
import { type ClosestBlock, findClosestBlock, MAX_FUZZY_LINES } from './closest-block.ts';
import { occurrences } from './find-text.ts';
import type { Span } from './placement.ts';

const MAX_LISTED_LINES = 20;
const MAX_CORRECTED_CHARS = 4000;

/** Why an old_string that stands nowhere was not found, and what to do next. */
export function notFoundRefusal(path: string, text: string, oldText: string, newText: string): string {
  const unnumbered = withoutLineNumbers(oldText);
  if (unnumbered !== null && standsIn(text, unnumbered) > 0) {
    return `old_string was not found in ${path}: it carries the line numbers that ReadFile shows, which are not in the file. Send it, and new_string, without them: ${JSON.stringify(unnumbered)}`;
  }
  const stale = `old_string was not found in ${path}; what you remember of it may be out of date.`;
  const applied = newText.trim() !== '' && standsIn(text, newText) === 1 ? ` ${appliedWords(text, newText)}` : '';
  const lines = splitLines(text);
  const wanted = splitLines(oldText);
  const block = findClosestBlock(lines, wanted) ?? (unnumbered === null ? null : findClosestBlock(lines, splitLines(unnumbered)));
  if (block === null && applied !== '') return `${stale}${applied}`;
  if (block === null) return `${stale} ${nothingSimilar(lines)} Read it with ReadFile, or find the place with Grep.`;
  return `${stale}${applied} ${closestWords(lines, wanted, block)} Read it again with ReadFile near line ${block.firstLine + 1}.`;
}

/** How often a text stands in a file, whatever their line ends. */
function standsIn(text: string, search: string): number {
  return occurrences(text.replaceAll('\r\n', '\n'), search.replaceAll('\r\n', '\n')).length;
}

function appliedWords(text: string, newText: string): string {
  const folded = text.replaceAll('\r\n', '\n');
  const line = lineAt(folded, folded.indexOf(newText.replaceAll('\r\n', '\n')));
  return `It may be already applied: new_string stands in the file once, at line ${line}.`;
}

/** Why an old_string that stands several times was refused. */
export function severalRefusal(path: string, text: string, spans: readonly Span[]): string {
  const lines = spans.slice(0, MAX_LISTED_LINES).map(({ start }) => lineAt(text, start));
  const more = spans.length > MAX_LISTED_LINES ? ' and more' : '';
  return `old_string occurs ${spans.length} times in ${path} (lines ${lines.join(', ')}${more}); nothing was changed. Add surrounding lines until it occurs once, or set replace_all.`;
}

function closestWords(lines: readonly string[], wanted: readonly string[], block: ClosestBlock): string {
  const { firstLine, lineCount, difference } = block;
  const place = lineCount === 1 ? `line ${firstLine + 1}` : `lines ${firstLine + 1} to ${firstLine + lineCount}`;
  if (difference === null) return `The closest is ${place}, which differs only at its edges.`;
  const found = lines.slice(firstLine, firstLine + lineCount);
  const isSpace = squeezed(found.join('')) === squeezed(wanted.join('')) && found.length === wanted.length;
  const cause = isSpace ? 'only in white space, ' : '';
  const corrected = isSpace
    ? `\nAs the file has it: ${JSON.stringify(readableText(found.join('\n'))).slice(0, MAX_CORRECTED_CHARS)}`
    : '';
  return `${[
    `The closest is ${place}; it differs ${cause}first at line ${difference.line + 1} (· is a space, → a tab):`,
    `  file:       ${difference.found === null ? '(the file has no such line)' : visible(difference.found)}`,
    `  old_string: ${visible(difference.wanted)}`,
  ].join('\n')}${corrected}\n`;
}

// White space other than a blank, and characters that show nothing.
const INVISIBLE = /[\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/g;

/** White space at the edges, all tabs, and what shows nothing made visible; bytes that are no text as `<0xNN>`. A long line is cut. */
function visible(line: string): string {
  const shown = line
    .replace(/^[ \t]+|[ \t\r]+$/g, (space) => space.replaceAll(' ', '·').replaceAll('\r', '␍'))
    .replaceAll('\t', '→')
    .replaceAll(INVISIBLE, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)
    .replaceAll(
      /(?<![\ud800-\udbff])[\udc80-\udcff]/g,
      (escape) => `<0x${(escape.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}>`,
    )
    .toWellFormed();
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

/** In a very long file only whole lines were compared, which is no proof. */
function nothingSimilar(lines: readonly string[]): string {
  return lines.length > MAX_FUZZY_LINES
    ? 'No line of it stands there as a whole; the file is too long to look for similar ones.'
    : 'Nothing in the file is similar.';
}
