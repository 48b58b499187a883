import { type Key, keyId } from '../keys/key.ts';
import { applyCompletion, type Candidates, type Completion, completionFor } from './completion.ts';
import { editByKey } from './edit-keys.ts';
import { EMPTY_SEARCH, type HistorySearch, searchHistory, searchOlder } from './history-search.ts';
import { moveByRow } from './layout-text.ts';
import { cleanText, type Pastes, takePaste } from './pastes.ts';
import { bufferOf, deleteBy, EMPTY_BUFFER, insert, type TextBuffer } from './text-buffer.ts';

/** Where a person writes. */
export interface Input {
  readonly buffer: TextBuffer;
  readonly pastes: Pastes;
  /** What was cut last, for Ctrl-Y. */
  readonly cut: string;
  /** Oldest first. */
  readonly history: readonly string[];
  /** The entry of the history that is shown, and what was being written before. */
  readonly browsing: { readonly at: number; readonly draft: TextBuffer } | null;
  readonly search: HistorySearch | null;
  readonly completion: Completion | null;
}

export const EMPTY_INPUT: Input = {
  buffer: EMPTY_BUFFER,
  pastes: new Map(),
  cut: '',
  history: [],
  browsing: null,
  search: null,
  completion: null,
};

export interface InputFacts {
  /** Columns of the text itself. */
  readonly width: number;
  readonly candidates: Candidates;
}

/** What a key did to the input; `wish` is what the person wants done with it. Null: the key means nothing here. */
export interface Pressed {
  readonly input: Input;
  readonly wish: 'submit' | 'steer' | null;
}

export function pressKey(input: Input, key: Key, facts: InputFacts): Pressed | null {
  if (input.search !== null) return pressInSearch(input, input.search, key, facts);
  const chosen = input.completion === null ? null : pressInMenu(input, input.completion, key, facts);
  if (chosen !== null) return done(chosen);
  if (key.type === 'text') return typed(input, key.text, facts);
  if (key.type === 'paste') return pasted(input, key.text, facts);
  return pressNamed(input, key, facts);
}

/** The input with another text, the caret behind it. */
export function withText(input: Input, text: string): Input {
  return { ...input, buffer: bufferOf(text), browsing: null, search: null, completion: null };
}

/** Emptied, with what was written added to the history. */
export function submitted(input: Input, remembered: string): Input {
  const history = remembered === '' || input.history.at(-1) === remembered ? input.history : [...input.history, remembered];
  return { ...EMPTY_INPUT, cut: input.cut, history };
}

function done(input: Input): Pressed {
  return { input, wish: null };
}

function changed(input: Input, buffer: TextBuffer, { candidates }: InputFacts): Input {
  return { ...input, buffer, browsing: null, completion: completionFor(buffer, candidates) };
}

function typed(input: Input, text: string, facts: InputFacts): Pressed {
  return done(changed(input, insert(input.buffer, cleanText(text)), facts));
}

function pasted(input: Input, text: string, facts: InputFacts): Pressed {
  const { added, pastes } = takePaste(text, input.pastes);
  return done({ ...changed(input, insert(input.buffer, added), facts), pastes, completion: null });
}

function pressNamed(input: Input, key: Key, facts: InputFacts): Pressed | null {
  switch (keyId(key)) {
    case 'enter':
      if (input.buffer.text[input.buffer.caret - 1] !== '\\') return { input, wish: 'submit' };
      return done(changed(input, insert(deleteBy(input.buffer, -1), '\n'), facts));
    case 'shift+enter':
    case 'alt+enter':
    case 'ctrl+j':
      return done(changed(input, insert(input.buffer, '\n'), facts));
    case 'ctrl+enter':
      return { input, wish: 'steer' };
    case 'ctrl+r':
      return done({ ...input, search: EMPTY_SEARCH, completion: null });
    case 'tab':
      return done({ ...input, completion: completionFor(input.buffer, facts.candidates) });
    case 'up':
    case 'ctrl+p':
      return done(up(input, facts));
    case 'down':
    case 'ctrl+n':
      return done(down(input, facts));
    default:
      return edited(input, key, facts);
  }
}

function edited(input: Input, key: Key, facts: InputFacts): Pressed | null {
  const after = editByKey(input, key);
  if (after === null) return null;
  const hasChanged = after.buffer.text !== input.buffer.text;
  const next = hasChanged ? changed(input, after.buffer, facts) : { ...input, buffer: after.buffer, completion: null };
  return done({ ...next, cut: after.cut });
}

function up(input: Input, { width }: InputFacts): Input {
  const moved = moveByRow(input.buffer, width, -1);
  if (moved !== null) return { ...input, buffer: moved };
  const at = (input.browsing?.at ?? input.history.length) - 1;
  const text = input.history[at];
  if (text === undefined) return input;
  return { ...input, buffer: bufferOf(text), browsing: { at, draft: input.browsing?.draft ?? input.buffer }, completion: null };
}

function down(input: Input, { width }: InputFacts): Input {
  const moved = moveByRow(input.buffer, width, 1);
  if (moved !== null) return { ...input, buffer: moved };
  if (input.browsing === null) return input;
  const at = input.browsing.at + 1;
  const text = input.history[at];
  if (text === undefined) return { ...input, buffer: input.browsing.draft, browsing: null };
  return { ...input, buffer: bufferOf(text), browsing: { ...input.browsing, at } };
}

/** Null: the key is for the text, and the menu follows it. */
function pressInMenu(input: Input, menu: Completion, key: Key, facts: InputFacts): Input | null {
  const count = menu.items.length;
  switch (keyId(key)) {
    case 'up':
    case 'ctrl+p':
      return { ...input, completion: { ...menu, selected: (menu.selected + count - 1) % count } };
    case 'down':
    case 'ctrl+n':
      return { ...input, completion: { ...menu, selected: (menu.selected + 1) % count } };
    case 'tab':
      return changed(input, applyCompletion(input.buffer, menu), facts);
    case 'enter':
      // A command that is typed out as far as the menu says is run by the same key.
      return isTypedOut(input, menu) ? null : { ...input, buffer: applyCompletion(input.buffer, menu), completion: null };
    case 'escape':
      return { ...input, completion: null };
    default:
      return null;
  }
}

function isTypedOut({ buffer }: Input, { items, selected, from }: Completion): boolean {
  return items[selected]?.text === buffer.text.slice(from, buffer.caret);
}

function pressInSearch(input: Input, search: HistorySearch, key: Key, facts: InputFacts): Pressed {
  const { history } = input;
  if (key.type === 'text') return done({ ...input, search: searchHistory(history, search.query + cleanText(key.text)) });
  if (key.type === 'paste')
    return done({ ...input, search: searchHistory(history, search.query + cleanText(key.text).split('\n', 1)[0]) });
  switch (keyId(key)) {
    case 'ctrl+r':
      return done({ ...input, search: searchOlder(history, search) });
    case 'backspace':
      return done({ ...input, search: searchHistory(history, search.query.slice(0, -1)) });
    case 'escape':
    case 'ctrl+c':
    case 'ctrl+g':
      return done({ ...input, search: null });
    default: {
      const found = search.match === null ? null : (history[search.match] ?? null);
      const taken = found === null ? { ...input, search: null } : withText(input, found);
      return keyId(key) === 'enter' ? done(taken) : (pressKey(taken, key, facts) ?? done(taken));
    }
  }
}
