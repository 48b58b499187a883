import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairHistory } from '../agent/repair.ts';
import type { AssistantMessage, ImageBlock, Message, ReplayToken, UserMessage } from '../core/message.ts';
import type { ModelRequest } from '../core/model.ts';
import { anthropicFaults, type WireRequest } from './anthropic/check.ts';
import { renderAnthropicRequest } from './anthropic/provider.ts';
import { chatFaults } from './chat/check.ts';
import { type OpenAIChatOptions, renderChatRequest } from './chat/provider.ts';
import { geminiFaults } from './gemini/check.ts';
import { renderGeminiRequest } from './gemini/provider.ts';
import { renderResponsesRequest } from './responses/provider.ts';
import { responsesFaults } from './responses/check.ts';

const PROVIDER = 'ours';
const MODEL = 'gemini-3-pro';

type ReplayData = ReplayToken['data'];

/** What a wire format keeps on its blocks. */
interface Replays {
  readonly onThinking: readonly ReplayData[];
  readonly onText: readonly ReplayData[];
  readonly onCall: readonly ReplayData[];
  readonly opaque: readonly ReplayData[];
}

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [] };
const RESPONSES: Replays = {
  onThinking: [{ ...REASONING, encrypted_content: 'sealed' }, REASONING],
  onText: [{ phase: 'commentary' }],
  onCall: [],
  opaque: [{ type: 'hologram', id: 'h_1' }],
};
const SIGNED = { thoughtSignature: 's' };
const CHAT: Replays = {
  onThinking: [{ field: 'reasoning_content' }],
  onText: [],
  onCall: [{ call: { extra_content: { google: { thought_signature: 's' } } } }],
  opaque: [{ message: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed' }] } }],
};
const ANTHROPIC: Replays = {
  onThinking: [{ type: 'thinking', thinking: '', signature: 's' }],
  onText: [],
  onCall: [{ caller: { type: 'direct' } }],
  opaque: [{ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }],
};
const GEMINI: Replays = { onThinking: [], onText: [SIGNED], onCall: [SIGNED], opaque: [{ text: '', ...SIGNED }] };

const image: ImageBlock = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const text = fc.constantFrom('hi', ' \n', '', 'cut \ud83d').map((words) => ({ type: 'text' as const, text: words }));
const callId = fc.constantFrom('a', 'b', 'c', 'd', 'an id with spaces', 'x'.repeat(70));
const owner = fc.constantFrom(
  { provider: PROVIDER, model: MODEL },
  { provider: PROVIDER, model: 'other' },
  { provider: 'else', model: MODEL },
);

function tokenOf(data: readonly ReplayData[]): fc.Arbitrary<{ readonly replay?: ReplayToken }> {
  if (data.length === 0) return fc.constant({});
  const token = fc.tuple(owner, fc.constantFrom(...data)).map(([made, kept]) => ({ replay: { ...made, data: kept } }));
  return fc.oneof(token, fc.constant({}));
}

function assistantOf(replays: Replays): fc.Arbitrary<AssistantMessage> {
  const call = fc.record({
    type: fc.constant('tool_use' as const),
    id: callId,
    wireId: fc.constantFrom(null, 'w'),
    name: fc.constantFrom('Look', '1 odd.name', ''),
    input: fc.constantFrom({ n: 1 }, null),
  });
  const thinking = fc.constantFrom('', 'hm').map((words) => ({ type: 'thinking' as const, text: words }));
  const block = fc.oneof(
    fc.tuple(text, tokenOf(replays.onText)).map(([said, token]) => ({ ...said, ...token })),
    fc.tuple(thinking, tokenOf(replays.onThinking)).map(([thought, token]) => ({ ...thought, ...token })),
    fc.tuple(call, tokenOf(replays.onCall)).map(([made, token]) => ({ ...made, ...token })),
    fc
      .tuple(owner, fc.constantFrom(...replays.opaque))
      .map(([made, data]) => ({ type: 'opaque' as const, replay: { ...made, data } })),
  );
  const state = fc.constantFrom('complete' as const, 'cut' as const, 'failed' as const);
  const content = fc.array(block, { maxLength: 5 });
  return fc
    .tuple(content, state, owner)
    .map(([blocks, end, made]) => ({ role: 'assistant', content: blocks, state: end, ...made }));
}

const result = fc.record({
  type: fc.constant('tool_result' as const),
  toolUseId: callId,
  content: fc.array(fc.oneof(text, fc.constant(image)), { maxLength: 2 }),
  isError: fc.boolean(),
});
const user = fc
  .array(fc.oneof(text, fc.constant(image), result), { maxLength: 4 })
  .map((content): UserMessage => ({ role: 'user', content }));

/** Rounds in which each call has an id of its own; anything else may be wrong with them. */
function historyOf(replays: Replays): fc.Arbitrary<Message[]> {
  return fc.array(fc.oneof(assistantOf(replays), user), { maxLength: 12 }).map((messages) => {
    const used = new Set<string>();
    const isNew = (id: string): boolean => !used.has(id) && used.add(id).has(id);
    const once = messages.map((message) =>
      message.role === 'user'
        ? message
        : { ...message, content: message.content.filter((block) => block.type !== 'tool_use' || isNew(block.id)) },
    );
    return [{ role: 'user', content: [{ type: 'text', text: 'go' }] }, ...once];
  });
}

function requestOf(messages: readonly Message[]): ModelRequest {
  const { signal } = new AbortController();
  return { model: MODEL, system: 's', messages: repairHistory(messages), tools: [], maxOutputTokens: 100, signal };
}

type Render = (request: ModelRequest, options: { readonly id: string }) => string;

const FORMATS: readonly (readonly [string, Replays, Render, (body: unknown) => readonly string[]])[] = [
  ['Anthropic', ANTHROPIC, renderAnthropicRequest, (body) => anthropicFaults(body as WireRequest)],
  ['chat completions', CHAT, (request, { id }) => renderChatRequest(request, chatOptions(id)), (body) => chatFaults(body)],
  ['Responses', RESPONSES, renderResponsesRequest, responsesFaults],
  ['Gemini', GEMINI, renderGeminiRequest, (body) => geminiFaults(body, MODEL)],
];

function chatOptions(id: string): OpenAIChatOptions {
  return { id, baseUrl: '', apiKey: null, seesImages: true };
}

describe.each(FORMATS)('%s', (...[, own, render, faultsOf]) => {
  // Each model's history may have to go to every other one.
  test.each(FORMATS)('takes any history of %s, once repaired, and gets the same bytes each time', (...[, replays]) => {
    const target = { id: replays === own ? PROVIDER : 'another' };
    const isTaken = (messages: Message[]): void => {
      const body = render(requestOf(messages), target);
      expect(faultsOf(JSON.parse(body))).toEqual([]);
      expect(render(requestOf(structuredClone(messages)), target)).toBe(body);
    };
    fc.assert(fc.property(historyOf(replays), isTaken), { numRuns: 100 });
  });
});
