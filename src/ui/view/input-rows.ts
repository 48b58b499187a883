import { displayText } from '../../core/display-text.ts';
import { layoutText } from '../editor/layout-text.ts';
import type { Input } from '../editor/input.ts';
import { markerLabel } from '../editor/pastes.ts';
import { styled, type Theme } from '../theme.ts';
import type { DrawFacts } from './draw-facts.ts';
import { displayWidth, truncate } from '../text/display-width.ts';

/** Rows with the caret among them. */
export interface InputRows {
  readonly rows: readonly string[];
  readonly caret: { readonly row: number; readonly column: number };
}

const MAX_MENU_ROWS = 6;

/** What is being written, at most so many rows around the caret. */
export function inputRows(
  input: Input,
  { theme, columns, say, maxRows }: Pick<DrawFacts, 'theme' | 'columns' | 'say'> & { readonly maxRows: number },
): InputRows {
  if (input.search !== null) return searchRows(input, { theme, columns, say });
  const layout = layoutText(input.buffer, columns - 3, (character) => markerLabel(character, input.pastes));
  const first = Math.max(0, Math.min(layout.caretRow - maxRows + 1, layout.rows.length - maxRows));
  const isShell = input.buffer.text.startsWith('!');
  const mark = styled(isShell ? theme.warning : theme.accent, '>');
  const rows = layout.rows.slice(first, first + maxRows).map(({ shown }, at) => {
    const isFirst = first + at === 0;
    return `${isFirst ? mark : at === 0 ? styled(theme.dim, '…') : ' '} ${shown}`;
  });
  return { rows, caret: { row: layout.caretRow - first, column: layout.caretColumn + 2 } };
}

function searchRows(
  { search, history }: Input,
  { theme, columns, say }: Pick<DrawFacts, 'theme' | 'columns' | 'say'>,
): InputRows {
  const query = search?.query ?? '';
  const found = search?.match === null || search === null ? '' : (history[search.match] ?? '');
  const head = say('search', { query });
  const shown = query !== '' && found === '' ? say('picker_nothing') : displayText(found.replaceAll('\n', ' ⏎ '));
  const room = Math.max(0, columns - 1 - displayWidth(head) - 4);
  return {
    rows: [`${styled(theme.accent, head)}  ${styled(theme.dim, truncate(shown, room))}`],
    caret: { row: 0, column: displayWidth(head) },
  };
}

/** The open menu of completions, around the chosen item. */
export function menuRows(
  { completion }: Input,
  { theme, columns }: { readonly theme: Theme; readonly columns: number },
): readonly string[] {
  if (completion === null) return [];
  const { items, selected } = completion;
  const first = Math.max(0, Math.min(selected - MAX_MENU_ROWS + 2, items.length - MAX_MENU_ROWS));
  const width = Math.min(40, Math.max(...items.map(({ text }) => displayWidth(text))));
  return items.slice(first, first + MAX_MENU_ROWS).map(({ text, summary }, at) => {
    const isChosen = first + at === selected;
    const name = truncate(displayText(text), columns - 5);
    const padded = summary === '' ? name : name + ' '.repeat(Math.max(0, width - displayWidth(name)));
    const about = summary === '' ? '' : `  ${truncate(summary, Math.max(0, columns - width - 8))}`;
    return isChosen ? `  ${styled(theme.selected, padded)}${styled(theme.dim, about)}` : `  ${padded}${styled(theme.dim, about)}`;
  });
}
