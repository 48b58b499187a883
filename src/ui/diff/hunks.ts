import { type ComparedLine, compareWords, type Word } from './compare-lines.ts';

/** A line as it is drawn. `words` are there where a part of a changed line stands out. */
export interface DrawnLine extends ComparedLine {
  readonly words: readonly Word[] | null;
}

/** Lines that belong together: kept ones, or what was removed and what came instead. */
export interface Change {
  readonly kept: readonly DrawnLine[];
  readonly removed: readonly DrawnLine[];
  readonly added: readonly DrawnLine[];
}

/** Changes with the kept lines around them; between two hunks lines were left out. */
export type Hunk = readonly Change[];

const CONTEXT_LINES = 3;

/** The changed lines with three kept ones around them. */
export function hunksOf(lines: readonly ComparedLine[]): readonly Hunk[] {
  const shown = shownLines(lines);
  const hunks: ComparedLine[][] = [];
  for (const [index, line] of lines.entries()) {
    if (!shown.has(index)) continue;
    if (shown.has(index - 1)) hunks.at(-1)?.push(line);
    else hunks.push([line]);
  }
  return hunks.map(changesOf);
}

/** Lines of one hunk as runs of kept lines and of changes. */
export function changesOf(lines: readonly ComparedLine[]): Hunk {
  const changes: { kept: ComparedLine[]; removed: ComparedLine[]; added: ComparedLine[] }[] = [];
  let last: ComparedLine['sign'] | null = null;
  for (const line of lines) {
    const isSameRun = last !== null && (last === line.sign || (last === '-' && line.sign === '+'));
    if (!isSameRun) changes.push({ kept: [], removed: [], added: [] });
    const run = changes.at(-1);
    if (line.sign === ' ') run?.kept.push(line);
    else if (line.sign === '-') run?.removed.push(line);
    else run?.added.push(line);
    last = line.sign;
  }
  return changes.map(withWords);
}

function shownLines(lines: readonly ComparedLine[]): ReadonlySet<number> {
  const shown = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    for (let near = Math.max(0, index - CONTEXT_LINES); near <= Math.min(lines.length - 1, index + CONTEXT_LINES); near++) {
      shown.add(near);
    }
  }
  return shown;
}

/** Where as many lines came as went, each is compared with its partner. */
function withWords({ kept, removed, added }: Record<keyof Change, readonly ComparedLine[]>): Change {
  const isPaired = removed.length === added.length;
  const pairs = removed.map((line, index) => (isPaired ? compareWords(bare(line.text), bare(added[index]?.text ?? '')) : null));
  return {
    kept: kept.map((line) => ({ ...line, words: null })),
    removed: removed.map((line, index) => ({ ...line, words: pairs[index]?.before ?? null })),
    added: added.map((line, index) => ({ ...line, words: pairs[index]?.after ?? null })),
  };
}

/** A line without its end. */
export function bare(text: string): string {
  return text.replace(/\r?\n$/, '');
}
