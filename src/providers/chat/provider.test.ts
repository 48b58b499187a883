import { describe, expect, test } from 'vitest';
import type { ChatWireMessage } from '../../../test/loopback/chat-server.ts';
import { repairHistory } from '../../agent/repair.ts';
import type { JsonValue } from '../../core/json-value.ts';
import type { AssistantMessage, ImageBlock, Message, ToolResultBlock } from '../../core/message.ts';
import type { ModelEvent, ModelRequest } from '../../core/model.ts';
import { ToolRegistry } from '../../core/registry.ts';
import { setupTools } from '../../tools/builtin.ts';
import { chatFaults } from './check.ts';
import { createOpenAIChatProvider, type OpenAIChatOptions, renderChatRequest } from './provider.ts';
import { TOOL_FORMATS } from '../tool-formats.ts';

const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });
const own = { provider: 'here', model: 'm' };
const HERE: OpenAIChatOptions = { id: 'here', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' };

function requestOf(messages: readonly Message[], system = 's'): ModelRequest {
  return { model: 'm', system, messages, tools: registry.specs(), maxOutputTokens: 100, signal: new AbortController().signal };
}

function bodyOf(messages: readonly Message[], options: Partial<OpenAIChatOptions> = {}): Readonly<Record<string, unknown>> {
  return JSON.parse(renderChatRequest(requestOf(messages), { ...HERE, ...options })) as never;
}

/** The messages of the wire behind the system message. */
function wireOf(messages: readonly Message[], options: Partial<OpenAIChatOptions> = {}): ChatWireMessage[] {
  return (bodyOf(messages, options)['messages'] as ChatWireMessage[]).slice(1);
}

const hi: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const assistant = (...content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  state: 'complete',
  ...own,
  content,
});
const use = (id: string, more: object = {}) =>
  ({ type: 'tool_use', id, wireId: null, name: 'Read', input: { path: id }, ...more }) as const;
const png: ImageBlock = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const result = (toolUseId: string, ...content: ToolResultBlock['content']): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError: false,
});
const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('a request', () => {
  test('has the system message first and the tools as the registry renders them', () => {
    expect(bodyOf([hi])).toEqual({
      model: 'm',
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      tools: registry.toAPIFormat('openai-chat'),
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'hi' },
      ],
    });
  });

  test('leaves out what is empty', () => {
    const body = JSON.parse(renderChatRequest({ ...requestOf([hi], ' '), tools: [] }, HERE)) as object;
    expect(body).not.toHaveProperty('tools');
    expect(body).toMatchObject({ messages: [{ role: 'user' }] });
  });

  test('follows the quirks of its server', () => {
    const quirks = {
      maxTokensField: 'max_completion_tokens',
      asksForUsage: false,
      extraBody: { thinking: { type: 'enabled' } },
    } as const;
    const body = bodyOf([hi], { quirks });
    expect(body).toMatchObject({ max_completion_tokens: 100, thinking: { type: 'enabled' } });
    expect(Object.keys(body)).not.toContain('max_tokens');
    expect(Object.keys(body)).not.toContain('stream_options');
  });

  test('has answers directly after the calls, in order, and then what the user says', () => {
    const calls = assistant(text('I look.'), use('call_1'), use('call_2', { input: null, malformedInput: '{"pa' }));
    const answers: Message = {
      role: 'user',
      content: [result('call_1', text('one')), result('call_2', text('no')), text('go on')],
    };
    expect(wireOf([hi, calls, answers]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{"path":"call_1"}' } },
          { id: 'call_2', type: 'function', function: { name: 'Read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: 'no' },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('with only calls has null for content', () => {
    expect(wireOf([hi, assistant(use('call_1'))])[1]).toMatchObject({ content: null });
  });

  test('moves the images of results behind all of them, with the name of their call', () => {
    const answers: Message = {
      role: 'user',
      content: [result('call_1', png), result('call_2', text('one'), png), text('go on')],
    };
    const messages = [hi, assistant(use('call_1'), use('call_2', { name: 'Look' })), answers];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(wireOf(messages, { seesImages: true }).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: '(see the image below)' },
      { role: 'tool', tool_call_id: 'call_2', content: 'one' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image from the result of Read (call_1):' },
          image,
          { type: 'text', text: 'Image from the result of Look (call_2):' },
          image,
          { type: 'text', text: 'go on' },
        ],
      },
    ]);
    expect(wireOf(messages).at(-1)?.content).toBe(
      'Image from the result of Read (call_1):\n[an image that this model cannot see]\n' +
        'Image from the result of Look (call_2):\n[an image that this model cannot see]\ngo on',
    );
  });

  test('puts a word of the assistant between where a user may not follow a tool', () => {
    const messages = [
      hi,
      assistant(use('QAw0JBXkB')),
      { role: 'user', content: [result('QAw0JBXkB', text('one')), text('go on')] },
    ] as const;
    const quirks = { allowsUserAfterTool: false, callIds: 'mistral' } as const;
    expect(wireOf(messages, { quirks }).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'QAw0JBXkB', content: 'one' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('has no half of a character, in arguments neither', () => {
    const calls = assistant(use('call_1', { input: { text: 'x\ud83d', deep: ['\udc00'], '\ud83d': 1 } }));
    const answers: Message = { role: 'user', content: [result('call_1', text('y\ud83d'))] };
    const [user, assisted, tool] = wireOf([{ role: 'user', content: [text('cut \ud83d')] }, calls, answers]);
    expect(user?.content).toBe('cut \ufffd');
    expect(JSON.parse(assisted?.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
      text: 'x\ufffd',
      deep: ['\ufffd'],
      '\ufffd': 1,
    });
    expect(tool?.content).toBe('y\ufffd');
  });

  test('has no blank text, no empty answer and no message of nothing', () => {
    const thinking = assistant({ type: 'thinking', text: 'hm', replay: { ...own, data: { field: 'reasoning' } } });
    const answers: Message = { role: 'user', content: [result('call_1', text(' ')), text('\n')] };
    expect(wireOf([hi, thinking, assistant(text(' '), use('call_1')), answers]).slice(1)).toEqual([
      expect.objectContaining({ role: 'assistant', content: null }),
      { role: 'tool', tool_call_id: 'call_1', content: '(no output)' },
    ]);
  });
});

describe('reasoning', () => {
  const thought = (data: JsonValue, made = own) => ({ type: 'thinking', text: 'hm', replay: { ...made, data } }) as const;
  const sent = (content: AssistantMessage['content'], quirks: OpenAIChatOptions['quirks'] = {}) =>
    wireOf([hi, assistant(...content)], { quirks })[1];

  test('goes back under the name under which it came, to the model that made it', () => {
    const field = { field: 'reasoning' };
    expect(sent([thought(field), text('so')])).toEqual({ role: 'assistant', content: 'so', reasoning: 'hm' });
    expect(sent([thought(field, { ...own, model: 'other' }), text('so')])).toEqual({ role: 'assistant', content: 'so' });
    expect(sent([thought(field, { ...own, provider: 'other' }), text('so')])).toEqual({ role: 'assistant', content: 'so' });
    expect(sent([thought(field), text('so')], { reasoning: 'never' })).toEqual({ role: 'assistant', content: 'so' });
  });

  test('goes back on every message where the server wants it, with a stand-in where there was none', () => {
    const quirks = { reasoning: 'every_message', emptyReasoning: ' ' } as const;
    expect(sent([text('so')], quirks)).toEqual({ role: 'assistant', content: 'so', reasoning_content: ' ' });
    const field = { field: 'reasoning_content' };
    expect(sent([thought(field), text('so')], quirks)).toMatchObject({ reasoning_content: 'hm' });
    expect(sent([thought(field, { ...own, model: 'other' }), text('so')], quirks)).toMatchObject({ reasoning_content: ' ' });
  });

  test('that was a part of the content is one again', () => {
    expect(sent([thought({ field: 'content' }), text('so')])).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'so' },
      ],
    });
  });

  test('in details goes back as details, unchanged, in place of its text', () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'hm', signature: 'c2ln', index: 0 }];
    const data = { field: 'reasoning', message: { reasoning_details } };
    expect(sent([thought(data), text('so')])).toEqual({ role: 'assistant', content: 'so', reasoning_details });
    const call = use('call_1', { replay: { ...own, data: { message: { reasoning_details } } } });
    expect(sent([call])).toMatchObject({ content: null, reasoning_details, tool_calls: [{ id: 'call_1' }] });
  });

  test('that signs a call goes back on the call', () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const call = (made: typeof own) => use('call_1', { replay: { ...made, data: { call: { extra_content } } } });
    expect(sent([call(own)])).toMatchObject({ tool_calls: [{ id: 'call_1', extra_content }] });
    expect(sent([call({ ...own, model: 'other' })])?.tool_calls?.[0]).not.toHaveProperty('extra_content');
  });
});

describe('the wire text', () => {
  test('of a message is made once for a target, and anew for another one', () => {
    let reads = 0;
    const counted = {
      type: 'text' as const,
      get text() {
        return `read ${++reads}`;
      },
    };
    const messages: readonly Message[] = [{ role: 'user', content: [counted] }];
    const once = renderChatRequest(requestOf(messages), HERE);
    expect(renderChatRequest(requestOf([...messages, hi]), HERE)).toContain(once.slice(once.indexOf('"messages"'), -2));
    expect(renderChatRequest(requestOf(messages), { ...HERE, seesImages: true })).not.toBe(once);
  });

  test('of a message is made anew where the ids of its calls change', () => {
    const quirks = { callIds: 'kimi' } as const;
    const messages = [hi, assistant(use('call_2')), { role: 'user', content: [result('call_2', text('one'))] }] as const;
    const before = [hi, assistant(use('call_1')), { role: 'user', content: [result('call_1', text('one'))] }] as const;
    expect(wireOf(messages, { quirks }).at(-1)?.tool_call_id).toBe('functions.Read:0');
    expect(wireOf([...before, ...messages.slice(1)], { quirks }).at(-1)?.tool_call_id).toBe('functions.Read:1');
  });

  test('of any part of a session is sound for every server, and the same each time', () => {
    const foreign = { provider: 'anthropic', model: 'claude' };
    const session: readonly Message[] = [
      hi,
      { ...assistant(text('I look.'), use('toolu_01ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdef'), use('call_2')), ...foreign },
      { role: 'user', content: [result('call_2', png), result('toolu_01ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdef', text(''))] },
      assistant(
        { type: 'thinking', text: 'hm', replay: { ...own, data: { field: 'reasoning_content' } } },
        use('call_3', { wireId: 'functions.Read:0' }),
      ),
      { role: 'user', content: [result('call_3', text('one'), png), text('go \ud83d on')] },
      { ...assistant(use('call_4', { name: 'foo.bar', input: null, malformedInput: '{' })), state: 'cut' },
      { role: 'user', content: [result('call_4', text('cut'))] },
      { ...assistant(text('half'), use('call_5')), state: 'failed' },
      hi,
      { ...assistant({ type: 'opaque', replay: { ...own, data: { message: {} } } }), ...foreign },
      assistant(use('call_6', { wireId: 'functions.Read:0' })),
    ];
    for (const callIds of ['openai', 'mistral', 'kimi'] as const)
      for (const reasoning of ['never', 'same_model', 'every_message'] as const) {
        const quirks = { callIds, reasoning, emptyReasoning: ' ', allowsUserAfterTool: callIds !== 'mistral' };
        const options = { ...HERE, quirks, seesImages: true };
        for (let length = 1; length <= session.length; length++) {
          const rendered = renderChatRequest(requestOf(repairHistory(session.slice(0, length))), options);
          expect(chatFaults(JSON.parse(rendered), quirks)).toEqual([]);
          const copy = structuredClone(session.slice(0, length));
          expect(renderChatRequest(requestOf(repairHistory(copy)), options)).toBe(rendered);
        }
      }
  });
});

test('a host that is not there is an event, not a throw', async () => {
  const provider = createOpenAIChatProvider({ ...HERE, retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 } });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(requestOf([hi]))) events.push(event);
  expect(events).toMatchObject([{ type: 'message_failed', error: { kind: 'unreachable' } }]);
});
