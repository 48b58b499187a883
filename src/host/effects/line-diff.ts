const CONTEXT_LINES = 3;
/** Beyond so many changed lines the middle is shown as replaced: to look for the shortest way would take too long. */
const MAX_STEPS = 500;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The hunks of `diff -u` between two texts; none where they are the same. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  return hunksOf(alignedLines(linesOf(before), linesOf(after)));
}

/** A line keeps its end, so that one without differs from one with it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function alignedLines(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...signed(' ', before.slice(0, start)),
    ...middleLines(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...signed(' ', before.slice(before.length - end)),
  ];
}

function signed(sign: Line['sign'], texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign, text }));
}

/** The shortest edit script. Source: Myers, An O(ND) Difference Algorithm and Its Variations, 1986. */
function middleLines(before: readonly string[], after: readonly string[]): Line[] {
  const reached: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= Math.min(MAX_STEPS, before.length + after.length); steps++) {
    reached.push(furthest);
    furthest = new Map(furthest);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = nextX(furthest, diagonal, steps);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return tracedBack(reached, before, after);
    }
  }
  return [...signed('-', before), ...signed('+', after)];
}

/** Where a step onto a diagonal starts: a line is taken from `after`, which keeps x, or from `before`. */
function nextX(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): number {
  return isInsertion(furthest, diagonal, steps) ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
}

function isInsertion(furthest: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true;
  return diagonal !== steps && (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0);
}

function tracedBack(
  reached: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let x = before.length;
  let y = after.length;
  for (let steps = reached.length - 1; steps >= 0; steps--) {
    const furthest = reached[steps] ?? new Map<number, number>();
    const isInserted = isInsertion(furthest, x - y, steps);
    const start = nextX(furthest, x - y, steps);
    for (; x > start; x--, y--) lines.push({ sign: ' ', text: before[x - 1] ?? '' });
    if (steps === 0) break;
    if (isInserted) lines.push({ sign: '+', text: after[--y] ?? '' });
    else lines.push({ sign: '-', text: before[--x] ?? '' });
  }
  return lines.toReversed();
}

function hunksOf(lines: readonly Line[]): string[] {
  const shown = lines.map(() => false);
  lines.forEach(({ sign }, at) => {
    if (sign !== ' ') shown.fill(true, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  });
  const out: string[] = [];
  const at = { before: 1, after: 1 };
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (end < lines.length && shown[end] === shown[index]) end++;
    const part = lines.slice(index, end);
    const counts = {
      before: part.filter(({ sign }) => sign !== '+').length,
      after: part.filter(({ sign }) => sign !== '-').length,
    };
    if (shown[index] === true) {
      out.push(`@@ -${span(at.before, counts.before)} +${span(at.after, counts.after)} @@`);
      out.push(...part.flatMap(rendered));
    }
    at.before += counts.before;
    at.after += counts.after;
    index = end;
  }
  return out;
}

/** An empty span stands behind the line before it. */
function span(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function rendered({ sign, text }: Line): string[] {
  return text.endsWith('\n') ? [sign + text.slice(0, -1)] : [sign + text, '\\ No newline at end of file'];
}
