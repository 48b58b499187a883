/** Where a text stands in a file: line and column, both 0-based. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** A part of a file that stands in it exactly once, and what it becomes. */
export interface SpotEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** All places of a text, without overlaps, line by line. A text of several lines has its place where it begins. */
export function spotsOf(lines: readonly string[], text: string): readonly Spot[] {
  if (text === '') return [];
  const whole = lines.join('\n');
  const spots: Spot[] = [];
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) {
    const before = whole.slice(0, at).split('\n');
    spots.push({ line: before.length - 1, column: before.at(-1)?.length ?? 0 });
  }
  return spots;
}

/** The places of a text that are not part of a longer word. */
export function wholeWordSpots(lines: readonly string[], text: string): readonly Spot[] {
  return spotsOf(lines, text).filter(({ line, column }) => {
    const row = lines[line] ?? '';
    const after = row.slice(column + text.length);
    return !(isWordEnd(row.slice(0, column).at(-1)) && isWordEnd(text[0])) && !(isWordEnd(after[0]) && isWordEnd(text.at(-1)));
  });
}

/** One edit for each line that has a spot. Each takes as many lines around as it needs to stand in the file only once. */
export function uniqueEdits(
  lines: readonly string[],
  spots: readonly Spot[],
  texts: { readonly from: string; readonly to: string },
): readonly SpotEdit[] {
  const rows = [...new Set(spots.map((spot) => spot.line))];
  return rows.map((row) => {
    const here = spots.filter((spot) => spot.line === row);
    const height = texts.from.split('\n').length;
    const changed = replacedAt(lines.slice(row, row + height).join('\n'), here, texts);
    return uniqueEdit(lines, { start: row, end: row + height, changed });
  });
}

/** An edit of the lines from `start` up to and without `end`, widened until its old text stands in the file only once. */
export function uniqueEdit(
  lines: readonly string[],
  span: { readonly start: number; readonly end: number; readonly changed: string },
): SpotEdit {
  let [first, last] = [span.start, span.end];
  for (;;) {
    const oldText = lines.slice(first, last).join('\n');
    const isWhole = first === 0 && last >= lines.length;
    if ((oldText !== '' && spotsOf(lines, oldText).length === 1 && overlapsNowhere(lines, oldText)) || isWhole) {
      const newText = [...lines.slice(first, span.start), span.changed, ...lines.slice(span.end, last)].join('\n');
      return { oldText, newText };
    }
    if (first > 0) first--;
    if (last < lines.length) last++;
  }
}

// indexOf without overlaps may count once what stands twice ("aa" in "aaa"); an editor that counts otherwise would refuse.
function overlapsNowhere(lines: readonly string[], text: string): boolean {
  const whole = lines.join('\n');
  return whole.indexOf(text) === whole.lastIndexOf(text);
}

function replacedAt(row: string, spots: readonly Spot[], { from, to }: { readonly from: string; readonly to: string }): string {
  return spots.toReversed().reduce((text, { column }) => text.slice(0, column) + to + text.slice(column + from.length), row);
}

function isWordEnd(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_$]/.test(character);
}
