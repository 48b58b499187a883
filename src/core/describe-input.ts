import { countHidden, displayText } from './display-text.ts';
import { isJsonObject } from './json-value.ts';

interface Room {
  readonly maxLines: number;
  readonly maxLineChars: number;
}

/** What a terminal has room for at once. */
const SCREEN: Room = { maxLines: 60, maxLineChars: 2000 };
const WHOLE: Room = { maxLines: Infinity, maxLineChars: Infinity };
const LONG_BLANK = / {20,}|\t{5,}/g;
// As wide as a terminal: what stands behind it could be out of sight.
const SUSPICIOUS_BLANK = / {100,}|\t{20,}/;

/**
 * A call's whole input as a person should see it before saying yes: every key with all of its text. What is too long is cut in the
 * middle with its length said, and long blanks are counted, so that nothing hides behind them.
 */
export function describeInput(input: unknown): readonly string[] {
  return described(input, SCREEN);
}

/** The same with nothing cut, for who cannot look further than what is shown; null where that is longer than so many characters. */
export function describeWhole(input: unknown, maxChars: number): readonly string[] | null {
  // What is shown of a text is never shorter than the text, but for long blanks.
  if ((JSON.stringify(input) ?? '').length > 4 * maxChars) return null;
  const lines = described(input, WHOLE);
  return lines.reduce((chars, line) => chars + line.length + 1, 0) > maxChars ? null : lines;
}

function described(input: unknown, room: Room): readonly string[] {
  if (!isJsonObject(input)) return [shownLine(JSON.stringify(input) ?? '', room)];
  return Object.entries(input).flatMap(([key, value]) => describeValue(key, value, room));
}

function describeValue(key: string, value: unknown, room: Room): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [...linesOf(key, text, room), ...warningsOf(key, text)];
}

function linesOf(key: string, text: string, room: Room): string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [`${displayText(key)}: ${shownLine(text, room)}`];
  const edge = room.maxLines / 2;
  const shown =
    lines.length <= room.maxLines
      ? lines
      : [...lines.slice(0, edge), `[… ${lines.length - room.maxLines} more lines …]`, ...lines.slice(-edge)];
  return [`${displayText(key)}:`, ...shown.map((line) => `  | ${shownLine(line, room)}`)];
}

/** What could make a reader believe that it says something else. */
function warningsOf(key: string, text: string): string[] {
  const hidden = countHidden(key) + countHidden(text);
  const longest = text.split('\n').reduce((most, line) => Math.max(most, line.length), 0);
  return [
    ...(hidden > 0 ? [`warning: ${hidden} hidden character${hidden === 1 ? '' : 's'}, shown as <U+…> or \\x…`] : []),
    ...(SUSPICIOUS_BLANK.test(text) ? ['warning: long runs of blanks, shown as [… blanks]'] : []),
    ...(longest > SCREEN.maxLineChars ? [`warning: a line of ${longest} characters`] : []),
  ];
}

function shownLine(line: string, { maxLineChars }: Room): string {
  const visible = [...displayText(line.replaceAll(LONG_BLANK, (blank) => `[${blank.length} blanks]`))];
  if (visible.length <= maxLineChars) return visible.join('');
  const half = maxLineChars / 2;
  return `${visible.slice(0, half).join('')}[… ${visible.length - maxLineChars} characters …]${visible.slice(-half).join('')}`;
}
