import { displayText } from '../../core/display-text.ts';
import type { EditReview } from '../chat/edit-review.ts';
import { styled, type Theme } from '../theme.ts';
import { truncate } from '../text/display-width.ts';
import type { DrawFacts } from './draw-facts.ts';

const MAX_LINES = 6;

/** The change that is decided about, with one kept line before it. Its whole edit stands in the scrollback. */
export function reviewRows(
  { lines, changes, at, verdicts }: EditReview,
  { theme, say }: DrawFacts,
  inner: number,
): readonly string[] {
  const change = changes[at];
  if (change === undefined) return [];
  const from = Math.max(0, change.start - 1);
  const shown = lines.slice(from, change.end);
  const rows = shown
    .slice(0, MAX_LINES)
    .map(({ sign, text }) => styled(styleOf(sign, theme), truncate(`${sign} ${displayText(lineOf(text))}`, inner)));
  const left = shown.length - MAX_LINES;
  const verdict = verdicts[at] ?? null;
  const word = verdict === null ? '' : ` · ${say(verdict === 'taken' ? 'review_taken' : 'review_left')}`;
  const head = `${say('review_change', { number: at + 1, count: changes.length })}${word}`;
  return [
    styled(theme.bold, truncate(head, inner)),
    ...rows,
    ...(left > 0 ? [styled(theme.dim, truncate(say('review_more_lines', { count: left }), inner))] : []),
  ];
}

function styleOf(sign: ' ' | '-' | '+', theme: Theme): Theme['dim'] {
  return sign === '+' ? theme.added : sign === '-' ? theme.removed : theme.dim;
}

function lineOf(text: string): string {
  return text.replace(/\r?\n$/, '').replaceAll('\t', '    ');
}
