import { expect, test } from 'vitest';
import { type LedgerRecord, ledgerOf } from './ledger.ts';
import type { Message } from './message.ts';
import { NO_USAGE } from './model.ts';

const call = (id: string, name: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, wireId: id, name, input: { path: '/a' } }],
  state: 'complete',
  provider: 'p',
  model: 'm',
});
const answer = (toolUseId: string, text: string, isError = false): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }], isError }],
});
const added = (message: Message): LedgerRecord => ({ type: 'message_added', message });
const turnEnd = (inputTokens: number, cost: number | null): LedgerRecord => ({
  type: 'turn_end',
  usage: { ...NO_USAGE, inputTokens },
  cost,
});
const NOTHING = { calls: 0, failures: 0, inputTokens: 0, outputTokens: 0, durationMs: 0 };

test('each tool has its calls, failures, time, and the tokens of its schema in every turn', () => {
  const ledger = ledgerOf([
    {
      type: 'run_start',
      tools: [
        { name: 'Read', schemaTokens: 100 },
        { name: 'Write', schemaTokens: 50 },
      ],
    },
    added(call('a', 'Read')),
    { type: 'tool_time', toolUseId: 'a', durationMs: 7 },
    added(answer('a', 'x'.repeat(40))),
    turnEnd(500, 0.5),
    added(call('b', 'Read')),
    added(answer('b', 'no such file', true)),
    turnEnd(700, 0.25),
    { type: 'run_start', tools: [{ name: 'Read', schemaTokens: 80 }] },
    turnEnd(1, 0),
  ]);
  expect(ledger).toEqual({
    tools: [
      {
        name: 'Read',
        calls: 2,
        failures: 1,
        schemaTokens: 80,
        allSchemaTokens: 280,
        inputTokens: 44,
        outputTokens: 13,
        durationMs: 7,
      },
      { name: 'Write', ...NOTHING, schemaTokens: 50, allSchemaTokens: 100 },
    ],
    turns: 3,
    billed: { usage: { ...NO_USAGE, inputTokens: 1201 }, cost: 0.75 },
  });
});

test('a call that no one answered, and an answer to no call, are of no account', () => {
  expect(ledgerOf([added(call('a', 'Read')), added(answer('z', 'x'))]).tools).toEqual([]);
});

test('a turn of unknown cost makes the sum unknown', () => {
  expect(ledgerOf([turnEnd(1, 1), turnEnd(1, null)]).billed.cost).toBeNull();
});
