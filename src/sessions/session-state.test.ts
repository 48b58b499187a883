import { expect, test } from 'vitest';
import type { JsonObject } from '../core/json-value.ts';
import { textOf } from '../core/message.ts';
import { stateOf } from './session-state.ts';

const HEADER = { type: 'session', version: 1, id: 's' };
const asked = { type: 'message_added', message: { role: 'user', content: [{ type: 'text', text: 'do it' }] } };

function called(state: 'complete' | 'failed', ...ids: readonly string[]): JsonObject {
  const content = ids.map((id) => ({ type: 'tool_use', id, wireId: null, name: 'Bash', input: {} }));
  return { type: 'message_added', message: { role: 'assistant', content, state, provider: 'p', model: 'm' } };
}

const mark = (type: string, toolUseId: string): JsonObject => ({ type, toolUseId });

test('each call that a crash left open is answered once, in call order, with what the log knows of it', () => {
  const { lostAnswers } = stateOf([
    HEADER,
    asked,
    called('complete', 'a', 'b', 'c'),
    mark('effect_started', 'a'),
    mark('effect_started', 'c'),
    mark('effect_finished', 'c'),
  ]);
  const answers = lostAnswers?.content.map((block) =>
    block.type === 'tool_result' ? [block.toolUseId, textOf(block.content)] : [],
  );
  expect(answers).toEqual([
    ['a', expect.stringMatching(/^Unknown outcome: .* was not run again\. Look at what is there/)],
    ['b', expect.stringMatching(/^Not run to its end: .* had not begun to change anything/)],
    ['c', expect.stringMatching(/^It ran to its end, but .* Look at what it did/)],
  ]);
});

test('calls that have answers, and those of a message that failed, are not answered again', () => {
  const answered = {
    type: 'message_added',
    message: { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: [], isError: false }] },
  };
  expect(stateOf([HEADER, asked, called('complete', 'a'), answered]).lostAnswers).toBeNull();
  expect(stateOf([HEADER, asked, called('failed', 'a')]).lostAnswers).toBeNull();
});

test('the model has seen the last version of each file, but for what a lost answer would have shown', () => {
  const saw = (path: string, version: string): JsonObject => ({ type: 'file_seen', path, version });
  const { seen } = stateOf([HEADER, asked, saw('/a', '1'), saw('/a', '2'), called('complete', 'x'), saw('/b', '1')]);
  expect([...seen]).toEqual([['/a', '2']]);
});

test('background commands are known with whether they ended, rewound or not', () => {
  const { jobs } = stateOf([
    HEADER,
    { type: 'job_started', id: 'job_1', command: 'a' },
    { type: 'job_started', id: 'job_2', command: 'b' },
    { type: 'job_ended', id: 'job_1' },
    { type: 'rewound', toTurn: 0 },
  ]);
  expect(jobs).toEqual([
    { id: 'job_1', command: 'a', hasEnded: true },
    { id: 'job_2', command: 'b', hasEnded: false },
  ]);
});
