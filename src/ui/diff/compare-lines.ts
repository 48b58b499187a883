import { diffArrays, diffWordsWithSpace } from 'diff';

/** One line of a comparison: kept, removed or added, with its numbers before and after. */
export interface ComparedLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** A stretch of a changed line; `isChanged` where its partner on the other side differs. */
export interface Word {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Beyond so many changed lines the middle is shown as replaced: the shortest way would take too long to find. */
const MAX_EDITS = 500;
const MAX_COMPARED_LINES = 50_000;
const MAX_WORD_LINE = 1000;
const MAX_WORD_EDITS = 200;
/** Lines that have less in common than that are two lines, not one that was changed. */
const MIN_COMMON = 0.3;

/** Two texts line by line. A line is named with its end where the two texts end their lines in different ways. */
export function compareLines(before: string, after: string): readonly ComparedLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const middle = changesBetween(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const signed = [...withSign(' ', old.slice(0, start)), ...middle, ...withSign(' ', old.slice(old.length - end))];
  return numbered(signed, 1, 1);
}

/** Lines with their signs, counted on both sides from the numbers given. */
export function numbered(
  lines: readonly Pick<ComparedLine, 'sign' | 'text'>[],
  firstBefore: number,
  firstAfter: number,
): readonly ComparedLine[] {
  let [before, after] = [firstBefore, firstAfter];
  return lines.map(({ sign, text }) => ({
    sign,
    text,
    before: sign === '+' ? null : before++,
    after: sign === '-' ? null : after++,
  }));
}

/** What differs within a line that was changed, or null where the two have too little in common. */
export function compareWords(
  before: string,
  after: string,
): { readonly before: readonly Word[]; readonly after: readonly Word[] } | null {
  if (before.length > MAX_WORD_LINE || after.length > MAX_WORD_LINE) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS });
  if (parts === undefined) return null;
  const kept = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.trim().length, 0);
  if (kept < MIN_COMMON * Math.max(before.trim().length, after.trim().length)) return null;
  return {
    before: parts.filter((part) => !part.added).map((part) => ({ text: part.value, isChanged: part.removed })),
    after: parts.filter((part) => !part.removed).map((part) => ({ text: part.value, isChanged: part.added })),
  };
}

/** A line keeps its end, so that one without differs from one with it. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

type SignedLine = Pick<ComparedLine, 'sign' | 'text'>;

function changesBetween(before: readonly string[], after: readonly string[]): readonly SignedLine[] {
  const isTooMuch = before.length + after.length > MAX_COMPARED_LINES;
  const parts = isTooMuch ? undefined : diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...withSign('-', before), ...withSign('+', after)];
  return parts.flatMap((part) => withSign(part.added ? '+' : part.removed ? '-' : ' ', part.value));
}

function withSign(sign: SignedLine['sign'], texts: readonly string[]): readonly SignedLine[] {
  return texts.map((text) => ({ sign, text }));
}
