import { expect, test } from 'vitest';
import type { JsonObject } from '../core/json-value.ts';
import { textOf } from '../core/message.ts';
import { stateOf } from './session-state.ts';

const HEADER = { type: 'session', version: 1, id: 's' };
const prompt = (number: number): JsonObject[] => [
  { type: 'run_start', prompt: number },
  { type: 'message_added', message: { role: 'user', content: [{ type: 'text', text: `p${number}` }] } },
];
const rewound = (toTurn: number): JsonObject => ({ type: 'rewound', toTurn });
const compacted = (summary: string, keptMessages: number): JsonObject => ({ type: 'compacted', summary, keptMessages });
const planned = (content: string): JsonObject => ({ type: 'todos', list: [{ id: '1', content, status: 'pending' }] });

function held(...records: readonly (JsonObject | null)[]): { readonly prompts: string[]; readonly numbers: number[] } {
  const { messages, turns } = stateOf([HEADER, ...records]);
  return { prompts: messages.map(({ content }) => textOf(content)), numbers: turns.map(({ number }) => number) };
}

test('a rewind takes out what came after a turn, and later prompts do not get its numbers', () => {
  const records = [...prompt(1), ...prompt(2), ...prompt(3), rewound(1), ...prompt(4)];
  expect(held(...records)).toEqual({ prompts: ['p1', 'p4'], numbers: [1, 4] });
  expect(stateOf([HEADER, ...records]).turnCount).toBe(4);
});

test('a rewind to the beginning leaves nothing', () => {
  expect(held(...prompt(1), rewound(0))).toEqual({ prompts: [], numbers: [] });
});

test('a rewind can go back to a turn that was rewound itself', () => {
  expect(held(...prompt(1), ...prompt(2), rewound(1), ...prompt(3), rewound(2)).prompts).toEqual(['p1', 'p2']);
});

test('a damaged prompt shifts no turn', () => {
  const [, message] = prompt(2);
  expect(held(...prompt(1), null, message ?? null, ...prompt(3), ...prompt(4), rewound(3)).prompts).toEqual(['p1', 'p2', 'p3']);
});

test('sessions of before prompts were numbered are counted', () => {
  const old = [...prompt(1), ...prompt(2)].map(({ prompt: _number, ...record }) => record);
  expect(held(...old, rewound(1), ...prompt(3))).toEqual({ prompts: ['p1', 'p3'], numbers: [1, 3] });
});

test('plan and compaction are those of the turn that is gone back to', () => {
  const { todos, compaction } = stateOf([
    HEADER,
    ...prompt(1),
    ...prompt(2),
    planned('early'),
    compacted('early', 1),
    ...prompt(3),
    planned('late'),
    compacted('late', 1),
    rewound(2),
  ]);
  expect([todos[0]?.content, compaction]).toEqual(['early', { summary: 'early', firstKept: 1 }]);
});
