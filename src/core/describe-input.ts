import { countHidden, displayText } from './display-text.ts';
import { isJsonObject } from './json-value.ts';

const MAX_LINES = 60;
const EDGE_LINES = 30;
const MAX_LINE_CHARS = 2000;
const LONG_BLANK = / {20,}|\t{5,}/g;
// As wide as a terminal: what stands behind it could be out of sight.
const SUSPICIOUS_BLANK = / {100,}|\t{20,}/;

/**
 * A call's whole input as a person should see it before saying yes: every key with all of its text. What is too long is cut in the
 * middle with its length said, and long blanks are counted, so that nothing hides behind them.
 */
export function describeInput(input: unknown): readonly string[] {
  if (!isJsonObject(input)) return [shownLine(JSON.stringify(input) ?? '')];
  return Object.entries(input).flatMap(([key, value]) => describeValue(key, value));
}

function describeValue(key: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [...linesOf(key, text), ...warningsOf(key, text)];
}

function linesOf(key: string, text: string): string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [`${displayText(key)}: ${shownLine(text)}`];
  const left = lines.length - 2 * EDGE_LINES;
  const shown =
    lines.length <= MAX_LINES ? lines : [...lines.slice(0, EDGE_LINES), `[… ${left} more lines …]`, ...lines.slice(-EDGE_LINES)];
  return [`${displayText(key)}:`, ...shown.map((line) => `  | ${shownLine(line)}`)];
}

/** What could make a reader believe that it says something else. */
function warningsOf(key: string, text: string): string[] {
  const hidden = countHidden(key) + countHidden(text);
  const longest = text.split('\n').reduce((most, line) => Math.max(most, line.length), 0);
  return [
    ...(hidden > 0 ? [`warning: ${hidden} hidden character${hidden === 1 ? '' : 's'}, shown as <U+…> or \\x…`] : []),
    ...(SUSPICIOUS_BLANK.test(text) ? ['warning: long runs of blanks, shown as [… blanks]'] : []),
    ...(longest > MAX_LINE_CHARS ? [`warning: a line of ${longest} characters`] : []),
  ];
}

function shownLine(line: string): string {
  const visible = [...displayText(line.replaceAll(LONG_BLANK, (blank) => `[${blank.length} blanks]`))];
  if (visible.length <= MAX_LINE_CHARS) return visible.join('');
  const half = MAX_LINE_CHARS / 2;
  return `${visible.slice(0, half).join('')}[… ${visible.length - MAX_LINE_CHARS} characters …]${visible.slice(-half).join('')}`;
}
