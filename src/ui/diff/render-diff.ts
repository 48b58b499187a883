import { displayText } from '../../core/display-text.ts';
import { paintText } from '../text/span.ts';
import { truncate } from '../text/display-width.ts';
import type { Theme } from '../theme.ts';
import { type Say, sayInEnglish } from '../words/say.ts';
import { compareLines } from './compare-lines.ts';
import { diffRows } from './diff-rows.ts';
import { hunksOf } from './hunks.ts';

export interface RenderDiffOptions {
  /** Columns; no row is wider. From 2. */
  readonly width: number;
  readonly theme: Theme;
  /** Default: English. */
  readonly say?: Say;
  readonly path: string;
  /** Both texts beside each other. By default so above 140 columns. */
  readonly isSideBySide?: boolean;
}

const SIDE_BY_SIDE_ABOVE = 140;

/** What changed from one text of a file to another, as rows for a terminal; a head with the path and the counts comes first. */
export function renderDiff(before: string, after: string, options: RenderDiffOptions): readonly string[] {
  const lines = compareLines(before, after);
  const counts = {
    added: lines.filter(({ sign }) => sign === '+').length,
    removed: lines.filter(({ sign }) => sign === '-').length,
  };
  const head = diffHead(options.path, counts, options);
  const showsLineEnds = before.includes('\r\n') !== after.includes('\r\n') && before !== '' && after !== '';
  return [head, ...diffRows(hunksOf(lines), { ...diffPlace(options), showsLineEnds })];
}

/** The row above a file's changes. */
export function diffHead(
  path: string,
  { added, removed }: { readonly added: number; readonly removed: number },
  { width, theme, say = sayInEnglish }: Pick<RenderDiffOptions, 'width' | 'theme' | 'say'>,
): string {
  const name = displayText(path.replaceAll(/[\n\t]/g, ' '));
  const counts = added + removed === 0 ? say('no_changes') : `+${added} -${removed}`;
  return paintText(truncate(`${name}  ${counts}`, width), 'bold', theme);
}

/** How rows of a diff are placed. */
export function diffPlace({ width, theme, say = sayInEnglish, isSideBySide }: Omit<RenderDiffOptions, 'path'>): {
  readonly width: number;
  readonly theme: Theme;
  readonly say: Say;
  readonly isSideBySide: boolean;
} {
  return { width, theme, say, isSideBySide: isSideBySide ?? width > SIDE_BY_SIDE_ABOVE };
}
