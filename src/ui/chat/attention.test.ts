import { expect, test } from 'vitest';
import { createTheme } from '../theme.ts';
import { Attention, AWAY_MS, type Signals } from './attention.ts';
import { type ChatState, createChatState, startRun } from './state.ts';

const ALL: Signals = { title: true, progress: true, notify: 'osc9' };
const IDLE = createChatState({ columns: 80, theme: createTheme('plain') });
const SESSION = {
  model: 'm',
  mode: 'default',
  sandbox: 'none',
  cwd: '/home/me/shop\u0007\u001b',
  contextTokens: null,
  seesImages: false,
} as const;
const WORKING: ChatState = { ...IDLE, session: SESSION, run: startRun(0) };
const ASKING = { ...WORKING, dialog: { request: { name: 'Bash' } } } as ChatState;

function attention(signals: Signals) {
  const written: string[] = [];
  const clock = { nowMs: 0 };
  const told = new Attention({ write: (bytes) => void written.push(bytes), now: () => clock.nowMs, signals });
  return { told, written, clock };
}

test('title and tab follow what the chat is at, once for each change, and nothing in a name ends the sequence', () => {
  const { told, written } = attention(ALL);
  for (const state of [WORKING, WORKING, IDLE]) told.follow(state);
  expect(written).toEqual([
    String.raw`\u001b]2;✳ wield · shop\x07\x1b`.replace(String.raw`\u001b`, '\u001b') + '\u0007\u001b]9;4;3;0\u0007',
    '\u001b]2;wield\u0007\u001b]9;4;0;0\u0007',
  ]);
});

test('a person is called where no key was pressed for a while: when the work is done, and when it asks', async () => {
  const { told, written, clock } = attention({ ...ALL, title: false, progress: false });
  told.follow(WORKING);
  clock.nowMs = AWAY_MS - 1;
  told.follow(IDLE);
  expect(written).toEqual([]);
  told.follow(WORKING);
  clock.nowMs = AWAY_MS;
  told.follow(IDLE);
  expect(written.at(-1)).toBe('\u001b]9;wield: done\u0007');
  told.follow(WORKING);
  told.follow(ASKING);
  await expect.poll(() => written.at(-1)).toBe('\u001b]9;wield: Bash waits for your answer\u0007');
});

test('a key that is pressed in time calls off the call, a bell is only a bell, and off is silence', async () => {
  const { told, written, clock } = attention({ title: false, progress: false, notify: 'bell' });
  clock.nowMs = 2 * AWAY_MS;
  told.follow(WORKING);
  told.follow(ASKING);
  told.keyPressed();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(written.join('')).toBe('');
  clock.nowMs = 4 * AWAY_MS;
  told.follow(IDLE);
  expect(written.join('')).toBe('\u0007');
  told.use({ title: false, progress: false, notify: 'off' }, WORKING);
  clock.nowMs = 9 * AWAY_MS;
  told.follow(IDLE);
  expect(written.join('')).toBe('\u0007');
});
