import { expect, test } from 'vitest';
import type { Message } from '../core/message.ts';
import { messageOfRecord, parseRecord, todosOfRecord } from './session-record.ts';

const REPLAY = { provider: 'p', model: 'm', data: null };
const ASSISTANT = { role: 'assistant', state: 'complete', provider: 'p', model: 'm' } as const;

const WHOLE: readonly Message[] = [
  {
    role: 'user',
    content: [
      { type: 'tool_result', toolUseId: 'a', isError: false, content: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] },
      { type: 'text', text: '' },
    ],
  },
  {
    ...ASSISTANT,
    content: [
      { type: 'thinking', text: '', replay: REPLAY },
      { type: 'tool_use', id: 'a', wireId: null, name: 'N', input: null, malformedInput: '{' },
      { type: 'tool_use', id: 'b', wireId: 'w', name: 'N', input: {} },
      { type: 'opaque', replay: REPLAY },
    ],
  },
];

test.each(WHOLE)('a message of $role passes whole', (message) => {
  expect(messageOfRecord(parseRecord(JSON.stringify({ type: 'message_added', message })))).toEqual(message);
});

test.each([
  null,
  { role: 'user' },
  { role: 'user', content: [null] },
  { role: 'user', content: [5] },
  { role: 'user', content: [{ type: 'toString' }] },
  { role: 'user', content: [{ type: 'tool_use', id: 'a', wireId: null, name: 'N' }] },
  { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', isError: false, content: [null] }] },
  { role: 'assistant', content: [] },
  { ...ASSISTANT, content: [{ type: 'tool_use', id: 1, wireId: null, name: 'N' }] },
  { ...ASSISTANT, content: [{ type: 'thinking', text: '', replay: 5 }] },
  { ...ASSISTANT, content: [{ type: 'opaque' }] },
])('%j is damaged', (message) => {
  expect(parseRecord(JSON.stringify({ type: 'message_added', message }))).toBeNull();
});

test('a plan is taken whole or not at all', () => {
  const todo = { id: '1', content: 'c', status: 'pending' };
  expect(todosOfRecord(parseRecord(JSON.stringify({ type: 'todos', list: [todo] })))).toEqual([todo]);
  expect(parseRecord(JSON.stringify({ type: 'todos', list: [todo, { ...todo, status: 'lost' }] }))).toBeNull();
});
