import { displayLine } from '../../core/display-text.ts';
import { type Picker, shownItems } from '../chat/picker.ts';
import { styled } from '../theme.ts';
import { displayWidth, truncate } from '../text/display-width.ts';
import type { DrawFacts } from './draw-facts.ts';
import type { InputRows } from './input-rows.ts';

const MAX_LABEL_COLUMNS = 60;

/** A list to choose from, around the chosen item; the caret stands at what is typed to search. */
export function pickerRows(picker: Picker, { theme, columns, say }: DrawFacts, maxRows: number): InputRows {
  const items = shownItems(picker);
  const room = Math.max(1, maxRows - 2);
  const first = Math.max(0, Math.min(picker.selected - Math.floor(room / 2), items.length - room));
  const width = Math.min(MAX_LABEL_COLUMNS, Math.max(0, ...items.map(({ label }) => displayWidth(displayLine(label, 200)))));
  const rows = items.slice(first, first + room).map(({ label, summary }, at) => {
    const name = truncate(displayLine(label, 200), summary === '' ? columns - 4 : Math.min(width, columns - 4));
    const about = truncate(displayLine(summary, 200), Math.max(0, columns - 6 - Math.max(width, displayWidth(name))));
    const padded = summary === '' ? name : name + ' '.repeat(Math.max(0, width - displayWidth(name)));
    const isChosen = first + at === picker.selected;
    const shown = isChosen ? `${styled(theme.accent, '›')} ${styled(theme.selected, padded)}` : `  ${padded}`;
    return about === '' ? shown : `${shown}  ${styled(theme.dim, about)}`;
  });
  const listed = rows.length === 0 ? [styled(theme.dim, `  ${say('picker_nothing')}`)] : rows;
  const head = truncate(displayLine(picker.title, 200), columns - 2);
  const typed = truncate(displayLine(picker.filter, 100), Math.max(0, columns - 6));
  const foot = typed === '' ? styled(theme.dim, truncate(say('picker_keys'), columns - 2)) : typed;
  return {
    rows: [styled(theme.bold, head), ...listed, foot],
    caret: { row: 1 + listed.length, column: typed === '' ? 0 : displayWidth(typed) },
  };
}
