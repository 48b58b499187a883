import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import type { ModelRequest } from '../core/model.ts';
import { anthropicFaults, type WireRequest } from '../providers/anthropic/check.ts';
import { renderAnthropicRequest } from '../providers/anthropic/provider.ts';
import { chatFaults } from '../providers/chat/check.ts';
import { renderChatRequest } from '../providers/chat/provider.ts';
import { geminiFaults } from '../providers/gemini/check.ts';
import { renderGeminiRequest } from '../providers/gemini/provider.ts';
import { responsesFaults } from '../providers/responses/check.ts';
import { renderResponsesRequest } from '../providers/responses/provider.ts';
import { repairHistory } from './repair.ts';

const OWN = { provider: 'ours', model: 'gemini-3-pro' };

const id = fc.constantFrom('a', 'a_2', 'b', 'an id with spaces', 'x'.repeat(64));
const call = id.map((callId): ToolUseBlock => ({ type: 'tool_use', id: callId, wireId: callId, name: 'Look', input: {} }));
const result = id.map(
  (toolUseId): ToolResultBlock => ({ type: 'tool_result', toolUseId, content: [{ type: 'text', text: 'seen' }], isError: false }),
);
const text = fc.constant({ type: 'text' as const, text: 'hi' });
const state = fc.constantFrom('complete' as const, 'cut' as const, 'failed' as const);
const assistant = fc
  .tuple(fc.array(fc.oneof(call, call, text), { maxLength: 4 }), state)
  .map(([content, end]): Message => ({ role: 'assistant', content, state: end, ...OWN }));
const user = fc.array(fc.oneof(result, result, text), { maxLength: 4 }).map((content): Message => ({ role: 'user', content }));

/** Of few ids, so that most of them stand several times, and with lines that stand twice in the file. */
const history = fc
  .array(fc.tuple(fc.oneof(assistant, user), fc.boolean()), { maxLength: 10 })
  .map((lines): Message[] => [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    ...lines.flatMap(([message, isTwice]) => (isTwice ? [message, structuredClone(message)] : [message])),
  ]);

type Format = readonly [string, (request: ModelRequest) => string, (body: unknown) => readonly string[]];
const TARGET = { id: OWN.provider };
const FORMATS: readonly Format[] = [
  ['Anthropic', (request) => renderAnthropicRequest(request, TARGET), (body) => anthropicFaults(body as WireRequest)],
  [
    'chat completions',
    (request) => renderChatRequest(request, { ...TARGET, baseUrl: '', apiKey: null, seesImages: true }),
    chatFaults,
  ],
  ['Responses', (request) => renderResponsesRequest(request, TARGET), responsesFaults],
  ['Gemini', (request) => renderGeminiRequest(request, TARGET), (body) => geminiFaults(body, OWN.model)],
];

test.each(FORMATS)('%s takes any history in which call ids and lines are doubled, once repaired', (_name, render, faultsOf) => {
  const bodyOf = (messages: readonly Message[]): string =>
    render({
      model: OWN.model,
      system: 's',
      messages: repairHistory(messages),
      tools: [],
      maxOutputTokens: 100,
      signal: new AbortController().signal,
    });
  const isTaken = (messages: Message[]): void => {
    const body = bodyOf(messages);
    expect(faultsOf(JSON.parse(body))).toEqual([]);
    expect(bodyOf(structuredClone(messages))).toBe(body);
  };
  fc.assert(fc.property(history, isTaken), { numRuns: 200 });
});

test('no call id stands twice in a repaired history', () => {
  const isUnique = (messages: Message[]): void => {
    const calls = repairHistory(messages).flatMap(({ content }) => content.filter((block) => block.type === 'tool_use'));
    expect(new Set(calls.map((made) => made.id)).size).toBe(calls.length);
  };
  fc.assert(fc.property(history, isUnique), { numRuns: 200 });
});
