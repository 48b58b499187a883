import { expect, test } from 'vitest';
import type { Message } from '../../core/message.ts';
import { turnsOf } from './transcript.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string, name: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, wireId: null, name, input }],
  state: 'complete',
  provider: 'demo',
  model: 'demo',
});
const result = (toolUseId: string, text: string, ask?: string): Message => ({
  role: 'user',
  content: [
    { type: 'tool_result', toolUseId, content: [{ type: 'text', text }], isError: false },
    ...(ask === undefined ? [] : [{ type: 'text' as const, text: ask }]),
  ],
});

test('calls and their answers belong to the request before them, in one spelling', () => {
  const turns = turnsOf([user('one'), call('1', 'search', { query: 'x', maxResults: 3 }), result('1', 'found'), user('two')]);
  expect(turns).toEqual([
    {
      ask: 'one',
      calls: [{ tool: 'Grep', input: { pattern: 'x', max_results: 3 }, text: 'found', isError: false }],
      roundCount: 1,
    },
    { ask: 'two', calls: [], roundCount: 0 },
  ]);
});

test('text beside a result is a new request', () => {
  const turns = turnsOf([user('one'), call('1', 'Bash', { command: 'ls' }), result('1', 'out', 'stop that')]);
  expect(turns.map(({ ask, roundCount }) => [ask, roundCount])).toEqual([
    ['one', 1],
    ['stop that', 0],
  ]);
});

test('notes in tags are no part of the request', () => {
  expect(turnsOf([user('<stdin>\nlots of text\n</stdin>\n\nread a.txt')]).map(({ ask }) => ask)).toEqual(['read a.txt']);
});
