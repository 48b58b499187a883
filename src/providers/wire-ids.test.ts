import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message } from '../core/message.ts';
import { type CallIdRule, fitsRule, wireIdsOf, wireNameOf } from './wire-ids.ts';

const target = { id: 'moonshot', model: 'kimi' };

interface Call {
  readonly id: string;
  readonly wireId?: string | null;
  readonly name?: string;
}

function assistant(calls: readonly Call[], made: { readonly provider: string; readonly model: string }): AssistantMessage {
  return {
    role: 'assistant',
    state: 'complete',
    ...made,
    content: calls.map(({ id, wireId = null, name = 'Read' }) => ({ type: 'tool_use', id, wireId, name, input: {} })),
  };
}

const ownMessage = (...calls: readonly Call[]): Message => assistant(calls, { provider: 'moonshot', model: 'kimi' });
const foreign = (...calls: readonly Call[]): Message => assistant(calls, { provider: 'anthropic', model: 'claude' });

function idsOf(messages: readonly Message[], rule: CallIdRule): Record<string, string> {
  return Object.fromEntries(wireIdsOf(messages, rule, target));
}

describe('wire ids', () => {
  test('an id that fits is kept', () => {
    expect(idsOf([foreign({ id: 'toolu_01abc' })], 'openai')).toEqual({ toolu_01abc: 'toolu_01abc' });
    expect(idsOf([foreign({ id: 'QAw0JBXkB' })], 'mistral')).toEqual({ QAw0JBXkB: 'QAw0JBXkB' });
  });

  test('one that does not is a hash of nine characters, the same each time', () => {
    const long = 'x'.repeat(41);
    const ids = idsOf([foreign({ id: long }, { id: 'call_1' })], 'mistral');
    expect(ids).toEqual(idsOf([foreign({ id: long }, { id: 'call_1' })], 'mistral'));
    for (const id of Object.values(ids)) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(idsOf([foreign({ id: long })], 'openai')[long]).toBe(ids[long]);
  });

  test('ids with one beginning do not collide', () => {
    const calls = Array.from({ length: 2000 }, (_, i) => ({ id: `toolu_01ABCDEFGHIJKLMNOPQRST${i}` }));
    expect(new Set(Object.values(idsOf([foreign(...calls)], 'mistral'))).size).toBe(2000);
  });

  test('an own id that is already the hash of another one gives way', () => {
    const taken = idsOf([foreign({ id: 'call_1' })], 'mistral')['call_1'] ?? '';
    const ids = idsOf([foreign({ id: 'call_1' }), foreign({ id: taken })], 'mistral');
    expect(ids['call_1']).toBe(taken);
    expect(ids[taken]).not.toBe(taken);
    expect(fitsRule(ids[taken] ?? '', 'mistral')).toBe(true);
  });

  test("Kimi's own ids are kept where they are unique, all others get its form and count on", () => {
    const messages = [
      foreign({ id: 'toolu_1', name: 'Glob' }),
      ownMessage({ id: 'call_2', wireId: 'functions.Read:7' }, { id: 'call_3', wireId: 'llm_version:0' }),
      // A server that counts anew in each message. Source: vllm-project/vllm#50295
      ownMessage({ id: 'call_4', wireId: 'functions.Read:7' }),
      foreign({ id: 'call_5', wireId: 'functions.Read:9' }),
      assistant([{ id: 'call_6', wireId: 'functions.Read:9' }], { provider: 'moonshot', model: 'other' }),
    ];
    expect(idsOf(messages, 'kimi')).toEqual({
      toolu_1: 'functions.Glob:0',
      call_2: 'functions.Read:7',
      call_3: 'functions.Read:2',
      call_4: 'functions.Read:3',
      call_5: 'functions.Read:4',
      call_6: 'functions.Read:5',
    });
  });

  test('a number that is taken is passed over', () => {
    const messages = [ownMessage({ id: 'call_1', wireId: 'functions.Read:1' }), foreign({ id: 'call_2' })];
    expect(idsOf(messages, 'kimi')).toEqual({ call_1: 'functions.Read:1', call_2: 'functions.Read:2' });
  });

  test('a longer conversation keeps the ids of the shorter one', () => {
    const messages = [
      foreign({ id: 'toolu_1' }),
      ownMessage({ id: 'call_2', wireId: 'functions.Read:0' }, { id: 'call_3', wireId: 'functions.Read:1' }),
      ownMessage({ id: 'call_4', wireId: 'functions.Read:0' }),
      foreign({ id: 'y'.repeat(50) }, { id: 'call_5' }),
    ];
    for (const rule of ['openai', 'mistral', 'kimi'] as const)
      for (let length = 1; length < messages.length; length++)
        expect(idsOf(messages, rule)).toMatchObject(idsOf(messages.slice(0, length), rule));
  });
});

test('a name that no server takes is made into one', () => {
  expect(['Read', 'foo.bar', '', 'é'.repeat(70)].map(wireNameOf)).toEqual(['Read', 'foo_bar', 'unnamed', '_'.repeat(64)]);
});
