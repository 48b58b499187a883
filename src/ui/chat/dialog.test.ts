import { expect, test } from 'vitest';
import { type Key, namedKey } from '../keys/key.ts';
import type { PermissionRequest } from '../permission-question.ts';
import { createTheme } from '../theme.ts';
import { viewChat } from '../view/view.ts';
import { reduceChat } from './reduce.ts';
import { type ChatState, createChatState } from './state.ts';

const COMMAND = `echo ${'word '.repeat(18)}end`;

function asked(command: string, size = { columns: 100, rows: 24 }): ChatState {
  const request: PermissionRequest = {
    type: 'permission_request',
    seq: 1,
    turn: 1,
    agentId: 'main',
    requestId: 'r',
    toolUseId: 't',
    name: 'Bash',
    subject: command,
    details: [`command: ${command}`],
    parts: [{ text: command, decision: 'ask', cause: 'unknown', because: 'it may change something' } as never],
    offers: [],
  };
  const state = createChatState({ ...size, theme: createTheme('plain') });
  const running = reduceChat(state, { type: 'run_started', block: null, nowMs: 0 }).state;
  return reduceChat(running, { type: 'agent', event: request, nowMs: 1000, patch: null, before: null }).state;
}

function press(state: ChatState, key: Key, nowMs: number) {
  return reduceChat(state, { type: 'key', key, nowMs });
}

const letter = (text: string): Key => ({ type: 'text', text });
const DENIAL = [{ type: 'answer', requestId: 'r', answer: { type: 'deny' } }];

test('what is typed on without a pause does not answer, however long; it goes on in the draft, and nothing of it is sent', () => {
  let state = asked('touch a');
  let nowMs = 1000;
  for (const key of [...[...'why is this, y'].map(letter), namedKey('enter'), letter('y')]) {
    const { state: next, wishes } = press(state, key, (nowMs += 200));
    expect(wishes).toEqual([]);
    state = next;
  }
  expect([state.dialog === null, state.input.buffer.text]).toEqual([false, 'why is this, yy']);
  expect(press(state, letter('y'), nowMs + 400).wishes).toEqual([
    { type: 'answer', requestId: 'r', answer: { type: 'allow', scope: 'once' } },
  ]);
});

test('a paste answers nothing, and an untouched Enter denies', () => {
  const pasted = press(asked('touch a'), { type: 'paste', text: 'y\ny' }, 5000);
  expect([pasted.wishes, pasted.state.dialog?.phase]).toEqual([[], 'choose']);
  expect(press(pasted.state, namedKey('enter'), 5100).wishes).toEqual(DENIAL);
});

test('what a smaller window has no room for goes to the scrollback, once, before it can be answered', () => {
  const wide = asked(COMMAND);
  expect(wide.pending).toEqual([]);
  const narrow = reduceChat(wide, { type: 'resized', columns: 30, rows: 12 }).state;
  expect(narrow.pending.map(({ type }) => type)).toEqual(['question']);
  const { committed, live } = viewChat(narrow, { columns: 30, rows: 12 }, 5000);
  expect(committed.join('\n')).toContain(COMMAND);
  expect([live.length <= 10, live.join('\n')]).toEqual([true, expect.stringContaining('all of it stands above')]);
  const again = reduceChat(narrow, { type: 'resized', columns: 20, rows: 10 }).state;
  expect(again.pending).toHaveLength(1);
});

test('in a low window the call stands above from the start', () => {
  expect(asked('touch a', { columns: 80, rows: 8 }).pending.map(({ type }) => type)).toEqual(['question']);
  expect(asked('touch a', { columns: 80, rows: 24 }).pending).toEqual([]);
});
