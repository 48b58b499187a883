import { expect, test } from 'vitest';
import { droppedImage } from '../editor/dropped-path.ts';
import { type Key, namedKey } from '../keys/key.ts';
import { createTheme } from '../theme.ts';
import { viewChat } from '../view/view.ts';
import { reduceChat } from './reduce.ts';
import { type ChatState, createChatState } from './state.ts';

const IMAGE = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
const FACTS = { model: 'm', mode: 'default', sandbox: 'none', cwd: '/p', contextTokens: null, seesImages: true } as const;

function press(state: ChatState, key: Key) {
  return reduceChat(state, { type: 'key', key, nowMs: 0 });
}

function withImage(text: string): ChatState {
  const fresh = createChatState({ columns: 80, theme: createTheme('plain') });
  const ready = reduceChat(fresh, { type: 'session', facts: FACTS, commands: [] }).state;
  const typed = press(ready, { type: 'text', text }).state;
  return reduceChat(typed, { type: 'image', image: IMAGE }).state;
}

test('an image is one marker in the text: it is seen, one key deletes it, and it goes with the prompt', () => {
  const state = withImage('what is ');
  expect(viewChat(state, { columns: 80, rows: 24 }, 0).live.join('\n')).toContain('> what is [Image #1]');
  expect(press(state, namedKey('backspace')).state.input.buffer.text).toBe('what is ');
  const { state: sent, wishes } = press(state, namedKey('enter'));
  expect(wishes).toMatchObject([
    { type: 'remember', text: 'what is [Image #1]' },
    { type: 'run', shown: 'what is [Image #1]' },
  ]);
  const prompt = wishes.find((wish) => wish.type === 'run')?.prompt ?? '';
  expect([...sent.images].map(([mark, image]) => [prompt.includes(mark), image])).toEqual([[true, IMAGE]]);
});

test('a queued prompt that is taken back has its image still, and an image is never told to a model in the middle of its work', () => {
  const running = reduceChat(withImage('look '), { type: 'run_started', block: null, nowMs: 0 }).state;
  const queued = press(running, namedKey('enter', { ctrl: true }));
  expect(queued.wishes.map(({ type }) => type)).toEqual(['remember']);
  const back = press(queued.state, namedKey('up')).state;
  expect([...back.images.keys()].map((mark) => back.input.buffer.text.includes(mark))).toEqual([true]);
});

test('text from outside cannot stand for an image', () => {
  const state = withImage('');
  const forged = press(state, { type: 'paste', text: [...state.images.keys()].join('') }).state;
  expect(forged.input.buffer.text.slice(-1)).toBe('\ufffd');
});

test('a dropped image is known by its path, however the terminal quotes it; other texts are no image', () => {
  const paths = ['/a/b c.png', String.raw`/a/b\ c.png `, "'/a/b c.png'", '"/a/b c.png"', 'file:///a/b%20c.png'].map(droppedImage);
  expect(new Set(paths)).toEqual(new Set(['/a/b c.png']));
  for (const text of ['c.png', '/a/b.txt', 'see /a/b.png', '/a.png\n/b.png', '', 'file://%zz.png'])
    expect(droppedImage(text)).toBeNull();
});
