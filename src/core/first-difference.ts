/** Where two texts part: the line, from 1, and what stands there in each, shortened around the place. */
export interface Difference {
  readonly line: number;
  readonly expected: string;
  readonly actual: string;
}

const SHOWN_BEFORE = 40;
const SHOWN_CHARS = 160;

/** The first line in which two texts differ. */
export function firstDifference(expected: string, actual: string): Difference {
  const [left, right] = [expected.split('\n'), actual.split('\n')];
  const found = left.findIndex((line, i) => line !== right[i]);
  const at = found === -1 ? left.length : found;
  const [a, b] = [left[at], right[at]];
  const column = commonChars(a ?? '', b ?? '');
  return { line: at + 1, expected: shortened(a, column), actual: shortened(b, column) };
}

function commonChars(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

function shortened(line: string | undefined, column: number): string {
  if (line === undefined) return '(no such line)';
  const start = line.length <= SHOWN_CHARS ? 0 : Math.max(0, column - SHOWN_BEFORE);
  const shown = line.slice(start, start + SHOWN_CHARS).toWellFormed();
  return `${start > 0 ? '…' : ''}${JSON.stringify(shown)}${start + SHOWN_CHARS < line.length ? '…' : ''}`;
}
