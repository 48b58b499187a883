import { expect, test } from 'vitest';
import type { Message } from '../../core/message.ts';
import type { ModelEvent, ModelRequest } from '../../core/model.ts';
import { ToolRegistry } from '../../core/registry.ts';
import { setupTools } from '../../tools/builtin.ts';
import { createAnthropicProvider, renderAnthropicRequest } from './provider.ts';
import { TOOL_FORMATS } from '../tool-formats.ts';

const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });

function bodyOf(messages: readonly Message[]): {
  tools: unknown;
  messages: { role: string; content: Record<string, unknown>[] }[];
} {
  return JSON.parse(renderAnthropicRequest(requestOf(messages))) as never;
}

function requestOf(messages: readonly Message[]): ModelRequest {
  return {
    model: 'm',
    system: 's',
    messages,
    tools: registry.specs(),
    maxOutputTokens: 100,
    signal: new AbortController().signal,
  };
}

const hi: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const made = { provider: 'anthropic', model: 'm' };

test('a request carries exactly what the registry renders', () => {
  expect(bodyOf([hi]).tools).toEqual(registry.toAPIFormat('anthropic'));
});

test('thinking and opaque blocks go back unchanged, in place, and those of others are left out', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
  const server = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { q: 1 } };
  const [, assistant] = bodyOf([
    hi,
    {
      role: 'assistant',
      state: 'complete',
      ...made,
      content: [
        { type: 'thinking', text: 'hm', replay: { ...made, data: thinking } },
        { type: 'thinking', text: 'not mine', replay: { provider: 'openai', model: 'g', data: 'x' } },
        { type: 'opaque', replay: { ...made, data: server } },
        { type: 'text', text: 'so' },
        {
          type: 'tool_use',
          id: 'call_1',
          wireId: null,
          name: 'Glob',
          input: { pattern: '*' },
          replay: { ...made, data: { caller: { type: 'direct' } } },
        },
      ],
    },
  ]).messages;
  expect(assistant?.content).toEqual([
    thinking,
    server,
    { type: 'text', text: 'so' },
    { type: 'tool_use', id: 'call_1', name: 'Glob', input: { pattern: '*' }, caller: { type: 'direct' } },
  ]);
});

test('a call whose input was no JSON goes back with an empty object, and half a character never goes out', () => {
  const { messages } = bodyOf([
    { role: 'user', content: [{ type: 'text', text: 'cut \ud83d' }] },
    {
      role: 'assistant',
      state: 'complete',
      ...made,
      content: [{ type: 'tool_use', id: 'call_1', wireId: null, name: 'Glob', input: null, malformedInput: '{"pat' }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: 'call_1', isError: true, content: [{ type: 'text', text: 'no' }] }],
    },
  ]);
  expect(messages).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'cut \ufffd' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Glob', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', is_error: true, content: [{ type: 'text', text: 'no' }] }],
    },
  ]);
});

test('a message is serialised once', () => {
  let reads = 0;
  const counted: Message = {
    role: 'user',
    get content() {
      reads++;
      return [{ type: 'text' as const, text: 'hi' }];
    },
  };
  renderAnthropicRequest(requestOf([counted]));
  const once = reads;
  renderAnthropicRequest(requestOf([counted]));
  expect(reads).toBe(once);
});

test('a host that is not there is an event, not a throw', async () => {
  const provider = createAnthropicProvider({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1:9/',
    retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 },
  });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(requestOf([hi]))) events.push(event);
  expect(events).toMatchObject([{ type: 'message_failed', error: { kind: 'unreachable' } }]);
});

test('caches go up to the system prompt and the last two turns of the user', () => {
  const call = (id: string): Message => ({
    role: 'assistant',
    state: 'complete',
    ...made,
    content: [{ type: 'tool_use', id, wireId: null, name: 'Glob', input: {} }],
  });
  const result = (toolUseId: string): Message => ({
    role: 'user',
    content: [{ type: 'tool_result', toolUseId, isError: false, content: [] }],
  });
  const body = JSON.parse(renderAnthropicRequest(requestOf([hi, call('a'), result('a'), call('b'), result('b')]))) as {
    system: { cache_control?: unknown }[];
    messages: { content: { cache_control?: unknown }[] }[];
  };
  const marked = body.messages.map(({ content }) => content.at(-1)?.cache_control !== undefined);
  expect(marked).toEqual([false, false, true, false, true]);
  expect(body.system[0]?.cache_control).toEqual({ type: 'ephemeral' });
});

test('thinking goes back to the model that made it and to no other, and a message of nothing else is left out', () => {
  const thought: Message = {
    role: 'assistant',
    state: 'complete',
    provider: 'anthropic',
    model: 'other',
    content: [{ type: 'thinking', text: 'hm', replay: { provider: 'anthropic', model: 'other', data: { type: 'thinking' } } }],
  };
  expect(bodyOf([hi, thought, hi]).messages).toMatchObject([{ role: 'user', content: [{ text: 'hi' }, { text: 'hi' }] }]);
});
