import { displayText } from '../../core/display-text.ts';
import { displayWidth, expandTabs, truncate } from '../text/display-width.ts';
import { paint, paintText, type Span, type StyleName } from '../text/span.ts';
import { wrapSpans } from '../text/wrap.ts';
import type { Theme } from '../theme.ts';
import type { Say } from '../words/say.ts';
import { bare, type Change, type DrawnLine, type Hunk } from './hunks.ts';

export interface DiffOptions {
  /** Columns; no row is wider. */
  readonly width: number;
  readonly theme: Theme;
  /** Both texts beside each other; otherwise one below the other. */
  readonly isSideBySide: boolean;
  /** True where the two texts end their lines in different ways, so that each end is shown. */
  readonly showsLineEnds: boolean;
  readonly say: Say;
}

type Side = 'before' | 'after';

const MAX_LINES = 400;
const MAX_LINE_CHARS = 2000;
const MIN_TEXT = 12;

/** Hunks as rows: line numbers, signs, and what changed within a line. What is too much is counted. */
export function diffRows(hunks: readonly Hunk[], options: DiffOptions): readonly string[] {
  const { theme } = options;
  const digits = String(Math.max(0, ...hunks.flat().flatMap(lineNumbers))).length;
  const rows: string[] = [];
  let left = MAX_LINES;
  let hidden = 0;
  for (const [index, hunk] of hunks.entries()) {
    if (left > 0 && index > 0)
      rows.push(paintText(`${' '.repeat(Math.min(digits, options.width - 1) - 1)}⋮`, 'lineNumber', theme));
    for (const change of hunk) {
      const shown = firstLines(change, left);
      left -= countLines(shown);
      hidden += countChanged(change) - countChanged(shown);
      for (const row of options.isSideBySide ? pairRows(shown, digits, options) : unifiedRows(shown, digits, options))
        rows.push(row);
    }
  }
  if (hidden > 0)
    rows.push(
      paintText(truncate(options.say('more_changed_lines', { count: hidden.toLocaleString('en') }), options.width), 'dim', theme),
    );
  return rows;
}

function unifiedRows({ kept, removed, added }: Change, digits: number, options: DiffOptions): readonly string[] {
  return [...kept, ...removed, ...added].flatMap((line) =>
    lineRows(line, line.sign === '-' ? 'before' : 'after', { digits, width: options.width, options }),
  );
}

function pairRows({ kept, removed, added }: Change, digits: number, options: DiffOptions): readonly string[] {
  const width = Math.floor((options.width - 3) / 2);
  const place = { digits, width, options };
  const bar = paintText(' │ ', 'border', options.theme);
  const pairs = [
    ...kept.map((line) => [line, line] as const),
    ...Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => [removed[index], added[index]] as const),
  ];
  return pairs.flatMap(([before, after]) => {
    const left = before === undefined ? [] : lineRows(before, 'before', place);
    const right = after === undefined ? [] : lineRows(after, 'after', place);
    return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
      const text = left[row] ?? '';
      return `${text}${' '.repeat(Math.max(0, width - displayWidth(text)))}${bar}${right[row] ?? ''}`.trimEnd();
    });
  });
}

/** One line: its number, its sign, its text; wrapped text stands below its own beginning. */
function lineRows(
  line: DrawnLine,
  side: Side,
  { digits, width, options }: { readonly digits: number; readonly width: number; readonly options: DiffOptions },
): readonly string[] {
  const { theme } = options;
  const style: StyleName = { ' ': 'dim' as const, '-': 'removed' as const, '+': 'added' as const }[line.sign];
  const hasNumbers = width - digits - 3 >= MIN_TEXT;
  const indent = hasNumbers ? digits + 3 : width < 4 ? 0 : 2;
  const number = paintText(String(line[side] ?? '').padStart(digits), 'lineNumber', theme);
  const sign = line.sign === ' ' ? ' ' : paintText(line.sign, style, theme);
  const head = indent === 0 ? '' : `${hasNumbers ? `${number} ` : ''}${sign} `;
  return wrapSpans(textSpans(line, style, options), width - indent).map((row, index) =>
    `${index === 0 ? head : ' '.repeat(indent)}${paint(row, theme)}`.trimEnd(),
  );
}

function textSpans(line: DrawnLine, style: StyleName, { showsLineEnds, say }: DiffOptions): readonly Span[] {
  const own: readonly StyleName[] = line.sign === ' ' ? ['plain'] : [style];
  const changed: readonly StyleName[] = line.sign === '-' ? ['removedWord'] : ['addedWord'];
  const text = bare(line.text);
  const words = line.words ?? [{ text: text.slice(0, MAX_LINE_CHARS), isChanged: false }];
  const cut =
    line.words === null && text.length > MAX_LINE_CHARS ? say('more_characters', { count: text.length - MAX_LINE_CHARS }) : '';
  return [
    ...expanded(words.map((word): Span => ({ text: word.text, styles: word.isChanged ? changed : own }))),
    ...endSpans(line, cut, { showsLineEnds, say }),
  ];
}

/** How the line ends, where that is not as usual or where it is what changed. */
function endSpans(
  { text, sign }: DrawnLine,
  cut: string,
  { showsLineEnds, say }: Pick<DiffOptions, 'showsLineEnds' | 'say'>,
): readonly Span[] {
  const isUnended = !text.endsWith('\n') && sign !== ' ';
  const end = isUnended ? say('no_newline') : showsLineEnds && sign !== ' ' ? (text.endsWith('\r\n') ? '␍␊' : '␊') : '';
  return cut + end === '' ? [] : [{ text: cut + end, styles: ['dim'] }];
}

/** Tabs reach to their stops wherever words begin. */
function expanded(spans: readonly Span[]): readonly Span[] {
  let before = '';
  return spans.map((span) => {
    const whole = expandTabs(before + displayText(span.text));
    const text = whole.slice(before.length);
    before = whole;
    return { ...span, text };
  });
}

function firstLines({ kept, removed, added }: Change, count: number): Change {
  const room = Math.max(0, count);
  const half = Math.max(room - removed.length, Math.ceil(room / 2));
  const shownAdded = added.slice(0, half);
  return { kept: kept.slice(0, room), removed: removed.slice(0, room - shownAdded.length), added: shownAdded };
}

function countLines({ kept, removed, added }: Change): number {
  return kept.length + removed.length + added.length;
}

function countChanged({ removed, added }: Change): number {
  return removed.length + added.length;
}

function lineNumbers({ kept, removed, added }: Change): readonly number[] {
  return [kept.at(-1), removed.at(-1), added.at(-1)].map((line) => Math.max(line?.before ?? 0, line?.after ?? 0));
}
