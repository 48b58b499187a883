import { isJsonObject } from '../../core/json-value.ts';
import { type ComparedLine, compareLines } from '../diff/compare-lines.ts';

/** An edit that is gone through change by change. */
export interface EditReview {
  /** The key of the input that holds the new text. */
  readonly key: string;
  /** All lines, kept, removed and added, with their ends. */
  readonly lines: readonly ComparedLine[];
  /** From where to where in the lines each change stands. */
  readonly changes: readonly { readonly start: number; readonly end: number }[];
  /** What was decided of each; null is not yet. */
  readonly verdicts: readonly (Verdict | null)[];
  /** The change that is shown. */
  readonly at: number;
}

export type Verdict = 'taken' | 'left';

/** The review of an edit, or of a file that is written anew over `before`. Null where there are not several changes to choose from. */
export function reviewOf(input: unknown, before: string | null): EditReview | null {
  const texts = textsOf(input, before);
  if (texts === null) return null;
  const lines = compareLines(texts.before, texts.after);
  const changes = changesIn(lines);
  if (changes.length < 2) return null;
  return { key: texts.key, lines, changes, verdicts: changes.map(() => null), at: 0 };
}

/** Decides the change that is shown, and goes on to the next that is open. */
export function decide(review: EditReview, verdict: Verdict): EditReview {
  const verdicts = review.verdicts.map((known, i) => (i === review.at ? verdict : known));
  const later = verdicts.indexOf(null, review.at);
  const open = later === -1 ? verdicts.indexOf(null) : later;
  return { ...review, verdicts, at: open === -1 ? review.at : open };
}

/** Decides all that are open. */
export function decideRest(review: EditReview, verdict: Verdict): EditReview {
  return { ...review, verdicts: review.verdicts.map((known) => known ?? verdict) };
}

/** The input with the changes that were taken alone; what is not decided is left. Null where none was taken. */
export function reviewedInput({ key, lines, changes, verdicts }: EditReview, input: unknown): unknown {
  if (!isJsonObject(input) || !verdicts.includes('taken')) return null;
  const isTaken = new Set(changes.flatMap(({ start, end }, i) => (verdicts[i] === 'taken' ? range(start, end) : [])));
  const text = lines
    .filter(({ sign }, i) => sign === ' ' || sign === (isTaken.has(i) ? '+' : '-'))
    .map((line) => line.text)
    .join('');
  return { ...input, [key]: text };
}

function textsOf(
  input: unknown,
  before: string | null,
): { readonly key: string; readonly before: string; readonly after: string } | null {
  if (!isJsonObject(input)) return null;
  const { old_string: old, new_string: fresh, content } = input;
  if (typeof old === 'string' && typeof fresh === 'string') return { key: 'new_string', before: old, after: fresh };
  return typeof content === 'string' && before !== null ? { key: 'content', before, after: content } : null;
}

/** Runs of removed and added lines. */
function changesIn(lines: readonly ComparedLine[]): EditReview['changes'] {
  const found: { start: number; end: number }[] = [];
  for (const [i, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = found.at(-1);
    if (last?.end === i) last.end = i + 1;
    else found.push({ start: i, end: i + 1 });
  }
  return found;
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
