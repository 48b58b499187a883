import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AssistantMessage, Message } from '../../core/message.ts';
import { toolUsesOf } from '../../core/message.ts';
import type { ModelRequest } from '../../core/model.ts';
import { anthropicFaults, type WireRequest } from '../../providers/anthropic/check.ts';
import { renderAnthropicRequest } from '../../providers/anthropic/provider.ts';
import { chatFaults } from '../../providers/chat/check.ts';
import { renderChatRequest } from '../../providers/chat/provider.ts';
import { geminiFaults } from '../../providers/gemini/check.ts';
import { renderGeminiRequest } from '../../providers/gemini/provider.ts';
import { responsesFaults } from '../../providers/responses/check.ts';
import { renderResponsesRequest } from '../../providers/responses/provider.ts';
import { compactedMessages } from './compacted-messages.ts';
import { cutPoints, firstKeptWithin } from './complete-groups.ts';
import { repairHistory } from '../repair.ts';
import { withoutReplays } from '../replays.ts';

const MODEL = 'gemini-3-pro';
const OPTIONS = { id: 'ours', apiKey: null, baseUrl: 'http://localhost' } as const;

const text = fc.constantFrom('hi', ' \n', 'cut \ud83d').map((words) => ({ type: 'text' as const, text: words }));
const callId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const call = callId.map((id) => ({ type: 'tool_use' as const, id, wireId: id, name: 'Look', input: { n: 1 } }));
const thinking = fc.constant('hm').map((words) => ({ type: 'thinking' as const, text: words }));
const result = callId.map((toolUseId) => ({
  type: 'tool_result' as const,
  toolUseId,
  content: [{ type: 'text' as const, text: 'found' }],
  isError: false,
}));
const assistant = fc
  .tuple(fc.array(fc.oneof(text, call, thinking), { maxLength: 4 }), fc.constantFrom('complete' as const, 'cut', 'failed'))
  .map(([content, state]): AssistantMessage => ({ role: 'assistant', content, state, provider: 'ours', model: MODEL }));
const user = fc.array(fc.oneof(text, result), { maxLength: 3 }).map((content): Message => ({ role: 'user', content }));

/** Any rounds, with each call id once; results may be missing, late, doubled or of no call. */
const history = fc.array(fc.oneof(assistant, user), { maxLength: 14 }).map((messages): Message[] => {
  const used = new Set<string>();
  const isNew = (id: string): boolean => !used.has(id) && used.add(id).has(id);
  const once = messages.map((message) =>
    message.role === 'user'
      ? message
      : { ...message, content: message.content.filter((block) => block.type !== 'tool_use' || isNew(block.id)) },
  );
  return [{ role: 'user', content: [{ type: 'text', text: 'go' }] }, ...once];
});

function requestOf(messages: readonly Message[]): ModelRequest {
  const { signal } = new AbortController();
  return { model: MODEL, system: 's', messages: repairHistory(messages), tools: [], maxOutputTokens: 100, signal };
}

/** What strict servers of all four wire formats would refuse. */
function faultsOf(messages: readonly Message[]): string[] {
  const request = requestOf(messages);
  return [
    ...anthropicFaults(JSON.parse(renderAnthropicRequest(request)) as WireRequest),
    ...chatFaults(JSON.parse(renderChatRequest(request, OPTIONS))),
    ...responsesFaults(JSON.parse(renderResponsesRequest(request, OPTIONS))),
    ...geminiFaults(JSON.parse(renderGeminiRequest(request, OPTIONS)), MODEL),
  ];
}

function idsIn(messages: readonly Message[]): { readonly calls: string[]; readonly results: string[] } {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolUsesOf(message).map(({ id }) => id) : []));
  const blocks = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
  return { calls, results: blocks.map(({ toolUseId }) => toolUseId) };
}

test('any history, compacted at any point, is taken by strict servers of all four wire formats, and gives the same bytes each time', () => {
  const isTaken = (messages: Message[]): void => {
    for (const firstKept of [...cutPoints(messages), messages.length]) {
      const compacted = compactedMessages(messages, { summary: 'What was.', firstKept });
      expect(faultsOf(compacted)).toEqual([]);
      expect(faultsOf(withoutReplays(compacted))).toEqual([]);
      const again = compactedMessages(structuredClone(messages), { summary: 'What was.', firstKept });
      expect(renderAnthropicRequest(requestOf(again))).toBe(renderAnthropicRequest(requestOf(compacted)));
    }
  };
  fc.assert(fc.property(history, isTaken), { numRuns: 300 });
});

test('a cut never parts a call from its result', () => {
  const isWhole = (messages: readonly Message[]): void => {
    for (const point of cutPoints(messages)) {
      const { calls, results } = idsIn(messages.slice(point));
      expect(results).toEqual(calls);
    }
  };
  fc.assert(fc.property(history.map(repairHistory), isWhole), { numRuns: 500 });
});

test('what is kept starts where a group does, and what nobody has answered is kept', () => {
  const isSound = (messages: Message[], maxTokens: number): void => {
    const kept = firstKeptWithin(messages, maxTokens);
    expect([0, ...cutPoints(messages), messages.length]).toContain(kept);
    const last = messages.at(-1);
    if (last?.role === 'user' && !last.content.some(({ type }) => type === 'tool_result')) {
      expect(kept).toBeLessThan(messages.length);
    }
  };
  fc.assert(fc.property(history, fc.integer({ min: 0, max: 100 }), isSound), { numRuns: 300 });
});

test('the last groups that fit are kept, and no more', () => {
  const said = (id: string): Message[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, wireId: id, name: 'Look', input: {} }],
      state: 'complete',
      provider: 'p',
      model: 'm',
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: 'x'.repeat(400) }], isError: false }],
    },
  ];
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    ...said('a'),
    ...said('b'),
    ...said('c'),
  ];
  expect(cutPoints(messages)).toEqual([5, 3, 1]);
  expect(firstKeptWithin(messages, 50)).toBe(7);
  expect(firstKeptWithin(messages, 130)).toBe(5);
  expect(firstKeptWithin(messages, 250)).toBe(3);
});

test('a paused turn is not parted from its other half', () => {
  const half: Message = {
    role: 'assistant',
    content: [{ type: 'text', text: 'searching' }],
    state: 'complete',
    provider: 'p',
    model: 'm',
  };
  const prompt: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
  expect(cutPoints([prompt, half, half, prompt, half])).toEqual([4, 3, 1]);
  expect(firstKeptWithin([prompt, half, prompt, half], 0)).toBe(3);
});
