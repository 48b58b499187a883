import { placeShifted } from './shifted-text.ts';
import { lineEndAt, type Placement, type Span, withLineEndsAt } from './placement.ts';

/** What stands more often than this is no piece of text but a pattern of it. */
export const MAX_OCCURRENCES = 100_000;

/** Starts of `search`, also of matches that overlap; of very many the first, one more than `MAX_OCCURRENCES`. */
export function occurrences(text: string, search: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(search); at !== -1 && starts.length <= MAX_OCCURRENCES; at = text.indexOf(search, at + 1))
    starts.push(at);
  return starts;
}

/** Finds old_string exactly; else, unless `isExact`, with line ends folded, or shifted by one indentation. No spans where it does not stand at all. */
export function placeText(text: string, oldText: string, newText: string, isExact = false): Placement {
  const exact = occurrences(text, oldText);
  if (exact.length > 0) {
    const replacement = oldText.includes('\n') ? () => newText : (span: Span) => inStyleAt(text, span, newText);
    return { how: 'exact', spans: exact.map((start) => ({ start, end: start + oldText.length })), replacement };
  }
  if (isExact) return { how: 'exact', spans: [], replacement: () => newText };
  const folded = placeFolded(text, oldText, newText);
  return folded.spans.length > 0 ? folded : placeShifted(text, oldText, newText);
}

/** Spans that can be replaced together: from left to right, none touching the one before. */
export function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/** A model reads lines without their CR, so a new line in place of an unbroken old_string takes the line end of its place. */
function inStyleAt(text: string, span: Span, newText: string): string {
  return lineEndAt(text, span) === '\r\n' ? newText.replaceAll(/(?<!\r)\n/g, '\r\n') : newText;
}

function placeFolded(text: string, oldText: string, newText: string): Placement {
  const foldedOld = oldText.replaceAll('\r\n', '\n');
  if (!foldedOld.includes('\n')) return { how: 'line-ends', spans: [], replacement: () => newText };
  const foldedText = text.replaceAll('\r\n', '\n');
  const toOffset = offsetMapper(text);
  const spans = occurrences(foldedText, foldedOld).map((start) => ({
    start: toOffset(start),
    end: toOffset(start + foldedOld.length),
  }));
  return { how: 'line-ends', spans, replacement: (span) => withLineEndsAt(text, span, newText) };
}

/** Maps offsets of the folded text, asked in rising order or not, to offsets of the text. */
function offsetMapper(text: string): (folded: number) => number {
  // The folded offset of each line feed that had a CR before it.
  const folds: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) folds.push(at - folds.length);
  return (folded) => folded + countBelow(folds, folded);
}

/** How many of the rising numbers are below `limit`. */
function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
