import { renderPatch } from '../diff/render-patch.ts';
import { styled } from '../theme.ts';
import type { DrawFacts } from './draw-facts.ts';

/** Rows that stand below a call. */
const MAX_ROWS = 60;
const INDENT = '  ';
// The names of both sides say what the line above them has said. Source: undo-diff.ts, which writes them.
const NAMES_OF_SIDES = /^--- .*\n\+\+\+ .*\n(?=@@ )/gm;

/** A unified diff with the numbers of its lines and the words that changed. What is long ends with how much is left out. */
export function patchRows(patch: string, { theme, columns, say }: DrawFacts, maxRows = MAX_ROWS): readonly string[] {
  const shown = patch.replaceAll(NAMES_OF_SIDES, '').replaceAll(/^diff /gm, '');
  const rows = renderPatch(shown, { width: columns - INDENT.length - 1, theme, say });
  const left = rows.length - maxRows;
  const drawn = rows.slice(0, maxRows).map((row) => `${INDENT}${row}`);
  return left <= 0 ? drawn : [...drawn, styled(theme.dim, `${INDENT}${say('more_rows', { count: left })}`)];
}
