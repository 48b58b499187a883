import { type Key, keyId } from '../keys/key.ts';
import { cleanText } from '../editor/pastes.ts';
import type { Wish } from './wish.ts';

/** A list to choose one of. */
export interface Picker {
  readonly title: string;
  readonly items: readonly PickerItem[];
  /** What was typed: items that do not hold it are left out. */
  readonly filter: string;
  /** Counts the items that are shown. */
  readonly selected: number;
}

export interface PickerItem {
  readonly label: string;
  readonly summary: string;
  /** What follows when it is chosen: something is done, or there is more to choose. */
  readonly leads: { readonly type: 'wish'; readonly wish: Wish } | { readonly type: 'pick'; readonly picker: Picker };
}

/** What a key did: the list stays open, maybe another one, or it is closed with a wish or with none. */
export type PickerStep =
  | { readonly type: 'open'; readonly picker: Picker }
  | { readonly type: 'close'; readonly wish: Wish | null };

const PAGE = 8;

export function createPicker(title: string, items: readonly PickerItem[], selected = 0): Picker {
  return { title, items, filter: '', selected };
}

/** Those items that hold what was typed. */
export function shownItems({ items, filter }: Picker): readonly PickerItem[] {
  const wanted = filter.toLowerCase();
  return items.filter(({ label, summary }) => `${label} ${summary}`.toLowerCase().includes(wanted));
}

export function pressInPicker(picker: Picker, key: Key): PickerStep {
  if (key.type !== 'key') return filtered(picker, picker.filter + cleanText(key.text).replaceAll('\n', ' '));
  const items = shownItems(picker);
  const count = items.length;
  const at = (selected: number): PickerStep => ({ type: 'open', picker: { ...picker, selected } });
  switch (keyId(key)) {
    case 'escape':
    case 'ctrl+c':
      return { type: 'close', wish: null };
    case 'enter':
      return chosen(picker, items[picker.selected]);
    case 'up':
    case 'ctrl+p':
      return at((picker.selected + count - 1) % Math.max(1, count));
    case 'down':
    case 'ctrl+n':
    case 'tab':
      return at((picker.selected + 1) % Math.max(1, count));
    case 'pageup':
      return at(Math.max(0, picker.selected - PAGE));
    case 'pagedown':
      return at(Math.max(0, Math.min(count - 1, picker.selected + PAGE)));
    case 'home':
      return at(0);
    case 'end':
      return at(Math.max(0, count - 1));
    case 'backspace':
      return filtered(picker, picker.filter.slice(0, -1));
    default:
      return at(picker.selected);
  }
}

function filtered(picker: Picker, filter: string): PickerStep {
  return { type: 'open', picker: { ...picker, filter, selected: 0 } };
}

function chosen(picker: Picker, item: PickerItem | undefined): PickerStep {
  if (item === undefined) return { type: 'open', picker };
  return item.leads.type === 'pick' ? { type: 'open', picker: item.leads.picker } : { type: 'close', wish: item.leads.wish };
}
