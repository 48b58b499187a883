import { expect, test } from 'vitest';
import { type Key, namedKey } from '../keys/key.ts';
import { createTheme } from '../theme.ts';
import { viewChat } from '../view/view.ts';
import { sayInEnglish } from '../words/say.ts';
import { reduceChat } from './reduce.ts';
import { rewindPicker } from './rewind-picker.ts';
import { type ChatState, createChatState } from './state.ts';
import type { Reduced } from './reduced.ts';
import type { Wish } from './wish.ts';

const PROMPTS = [
  { number: 1, prompt: 'first' },
  { number: 4, prompt: 'second, after a rewind' },
  { number: 5, prompt: 'third' },
];
const FACTS = { model: 'm', mode: 'default', sandbox: 'none', cwd: '/p', contextTokens: null, seesImages: false } as const;

function opened(): ChatState {
  const state = createChatState({ columns: 80, theme: createTheme('plain') });
  return reduceChat(state, { type: 'session', facts: FACTS, commands: [] }).state;
}

function press(state: ChatState, keys: readonly Key[], nowMs = 0): Reduced {
  const wishes: Wish[] = [];
  let now = state;
  for (const key of keys) {
    const reduced = reduceChat(now, { type: 'key', key, nowMs });
    now = reduced.state;
    wishes.push(...reduced.wishes);
  }
  return { state: now, wishes };
}

const escape = namedKey('escape');
const enter = namedKey('enter');
const up = namedKey('up');
const down = namedKey('down');

function picking(): ChatState {
  const picker = rewindPicker(PROMPTS, sayInEnglish);
  return picker === null ? opened() : reduceChat(opened(), { type: 'pick', picker }).state;
}

test('two Escapes in an empty input ask for the prompts; one alone, a late one, or one behind a text does not', () => {
  const asks = [{ type: 'command', name: 'rewind', argument: '' }];
  expect(press(opened(), [escape, escape]).wishes).toEqual(asks);
  const once = press(opened(), [escape], 0);
  expect([once.wishes, once.state.hint?.text]).toEqual([[], 'Esc again goes back to an earlier prompt']);
  expect(press(once.state, [escape], 2500).wishes).toEqual([]);
  expect(press(opened(), [{ type: 'text', text: 'x' }, escape, escape]).wishes).toEqual([]);
});

test('the newest prompt is chosen first, and to go back to before one is to go to the end of the one that holds before it', () => {
  const rewinds = (keys: readonly Key[]) => press(picking(), keys).wishes;
  expect(rewinds([enter, enter])).toEqual([{ type: 'rewind', toTurn: 4, part: 'both', prompt: 'third' }]);
  expect(rewinds([up, enter, down, enter])).toEqual([
    { type: 'rewind', toTurn: 1, part: 'conversation', prompt: 'second, after a rewind' },
  ]);
  expect(rewinds([up, up, enter, up, enter])).toEqual([{ type: 'rewind', toTurn: 0, part: 'files', prompt: 'first' }]);
});

test('typing searches, a text that nothing holds chooses nothing, and Escape leaves all as it was', () => {
  const searched = press(picking(), [{ type: 'text', text: 'SECOND' }]);
  expect(viewChat(searched.state, { columns: 80, rows: 24 }, 0).live).toEqual([
    'Go back to before which prompt?',
    '› 4  second, after a rewind',
    'SECOND',
  ]);
  expect(press(searched.state, [enter, enter]).wishes).toEqual([
    { type: 'rewind', toTurn: 1, part: 'both', prompt: 'second, after a rewind' },
  ]);
  const none = press(searched.state, [{ type: 'text', text: '?' }, enter]);
  expect([none.wishes, none.state.picker === null]).toEqual([[], false]);
  const left = press(none.state, [escape]);
  expect([left.state.picker, left.wishes, left.state.input.buffer.text]).toEqual([null, [], '']);
});

test('in a low window the chosen prompt is seen, and the caret stands below it', () => {
  const many = Array.from({ length: 40 }, (_, i) => ({ number: i + 1, prompt: `prompt ${i + 1}` }));
  const picker = rewindPicker(many, sayInEnglish);
  const state = picker === null ? opened() : reduceChat(opened(), { type: 'pick', picker }).state;
  const { live, caret } = viewChat(
    press(
      state,
      Array.from({ length: 20 }, () => up),
    ).state,
    { columns: 40, rows: 9 },
    0,
  );
  expect(live.length).toBeLessThanOrEqual(7);
  expect(live).toContain('› 20  prompt 20');
  expect(caret?.row).toBe(live.length - 1);
});
