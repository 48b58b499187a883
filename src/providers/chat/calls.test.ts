import { describe, expect, test } from 'vitest';
import { chunk, DONE, finish, fragment, replyTo } from '../../../test/chat-chunks.ts';
import { createChatReader } from './reader.ts';

const END = [finish('tool_calls'), DONE];

describe('fragments of calls', () => {
  test('are joined by index, also where two calls interleave', async () => {
    // Source: QwenLM/Qwen-Agent#943
    const { calls, started } = await replyTo([
      fragment({ index: 0, id: 'a', name: 'Read', json: '' }),
      fragment({ index: 1, id: 'b', name: 'Glob', json: '' }),
      fragment({ index: 0, json: '{"path":' }),
      fragment({ index: 1, json: '{"pattern":"*"}' }),
      fragment({ index: 0, json: '"/a"}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['a', 'Read', { path: '/a' }],
      ['b', 'Glob', { pattern: '*' }],
    ]);
    expect(started).toHaveLength(2);
  });

  test('a new id at a used index starts a new call', async () => {
    // Source: ollama/ollama#15457
    const { calls } = await replyTo([
      fragment({ index: 0, id: 'a', name: 'Read', json: '{"path":"/a"}' }),
      fragment({ index: 0, id: 'b', name: 'Read', json: '{"path":"/b"}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['a', 'Read', { path: '/a' }],
      ['b', 'Read', { path: '/b' }],
    ]);
  });

  test('an empty or missing id overwrites nothing', async () => {
    for (const id of ['', null]) {
      const { calls } = await replyTo([
        fragment({ index: 0, id: 'a', name: 'Read', json: '{"path"' }),
        fragment({ index: 0, id, json: ':1}' }),
        ...END,
      ]);
      expect(calls).toEqual([['a', 'Read', { path: 1 }]]);
    }
  });

  test('an id that was seen before goes on with its call, though another one stands at that index now', async () => {
    const { calls } = await replyTo([
      fragment({ index: 0, id: 'a', name: 'Read', json: '{"path":' }),
      fragment({ index: 0, id: 'b', name: 'Read', json: '{"path":' }),
      fragment({ index: 0, id: 'a', json: '1}' }),
      fragment({ index: 0, id: 'b', json: '2}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['a', 'Read', { path: 1 }],
      ['b', 'Read', { path: 2 }],
    ]);
  });

  test('a first id with another name at a used index starts a new call too', async () => {
    const { calls } = await replyTo([
      fragment({ index: 0, id: '', name: 'Read', json: '{"path":1}' }),
      fragment({ index: 0, id: 'b', name: 'Glob', json: '{"pattern":2}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      [null, 'Read', { path: 1 }],
      ['b', 'Glob', { pattern: 2 }],
    ]);
  });

  test('one id at two indexes is two calls', async () => {
    const { calls } = await replyTo([
      fragment({ index: 0, id: '0', name: 'Read', json: '{"path":1}' }),
      fragment({ index: 1, id: '0', name: 'Read', json: '{"path":2}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['0', 'Read', { path: 1 }],
      ['0', 'Read', { path: 2 }],
    ]);
  });

  test('without an index a fragment belongs by its id, else to the last call, and a name starts a call', async () => {
    const { calls } = await replyTo([
      fragment({ id: 'a', name: 'Read', json: '{"path":' }),
      fragment({ id: 'b', name: 'Glob', json: '{"pattern":' }),
      fragment({ id: 'a', json: '1}' }),
      fragment({ json: '1}' }),
      fragment({ id: '', name: 'Grep', json: '{"pattern":2}' }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['a', 'Read', { path: 1 }],
      ['b', 'Glob', { pattern: 1 }],
      [null, 'Grep', { pattern: 2 }],
    ]);
  });

  test('name and id may come late; the start tells both', async () => {
    // Source: vercel/ai ab81968
    const events = [
      fragment({ index: 0, json: '{"path"' }),
      fragment({ index: 0, name: 'Read' }),
      fragment({ index: 0, id: 'late', json: ':1}' }),
      ...END,
    ];
    expect((await replyTo(events)).calls).toEqual([['late', 'Read', { path: 1 }]]);
    const reader = createChatReader('provider', 'model');
    const read = events.map((event) => reader.read(typeof event === 'string' ? event : JSON.stringify(event)));
    expect(read[1]).toEqual([]);
    expect(read[2]).toEqual([
      { type: 'tool_use_start', index: 0, wireId: 'late', name: 'Read' },
      { type: 'tool_input_delta', index: 0, json: '{"path":1}' },
    ]);
  });

  test('a whole name in every fragment is the name once', async () => {
    // Source: ggml-org/llama.cpp#13774
    const { calls } = await replyTo([
      fragment({ index: 0, id: 'a', name: 'Read', json: '{"path"' }),
      fragment({ index: 0, id: 'a', name: 'Read', json: ':1}' }),
      ...END,
    ]);
    expect(calls).toEqual([['a', 'Read', { path: 1 }]]);
  });

  test('a name in parts is joined only where the sum is a tool and the part is none', async () => {
    const parts = (first: string, ...rest: string[]): object[] => [
      fragment({ index: 0, id: 'a', name: first }),
      ...rest.map((name) => fragment({ index: 0, name })),
      fragment({ index: 0, json: '{}' }),
    ];
    const tools = ['ReadFile', 'Read', 'File'];
    expect((await replyTo([...parts('Re', 'ad', 'Fi', 'le'), ...END], tools)).calls).toEqual([['a', 'ReadFile', {}]]);
    expect((await replyTo([...parts('Read', 'File'), ...END], tools)).calls).toEqual([['a', 'Read', {}]]);
    expect((await replyTo([...parts('Make', 'Thing'), ...END], tools)).calls).toEqual([['a', 'Make', {}]]);
  });

  test('arguments that are null, missing, empty or {} are no arguments', async () => {
    for (const json of [null, '', '{}', '  ', undefined]) {
      const call = json === undefined ? { index: 0, id: 'a', name: 'Read' } : { index: 0, id: 'a', name: 'Read', json };
      expect((await replyTo([fragment(call), ...END])).calls).toEqual([['a', 'Read', {}]]);
    }
  });

  test('arguments may be an object', async () => {
    // Source: BerriAI/litellm#37792
    const { calls } = await replyTo([fragment({ index: 0, id: 'a', name: 'Read', json: { path: '/a' } }), ...END]);
    expect(calls).toEqual([['a', 'Read', { path: '/a' }]]);
  });

  test('text in one choice and the call in another are one message', async () => {
    // Source: HKUDS/nanobot#1555
    const call = { index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } };
    const reply = await replyTo([
      chunk({ content: 'I look.' }, { finish: 'stop' }),
      chunk({ tool_calls: [call] }, { choice: 1, finish: 'tool_calls' }),
      DONE,
    ]);
    expect(reply).toMatchObject({
      stopReason: 'tool_use',
      message: { content: [{ type: 'text', text: 'I look.' }, { name: 'Read' }] },
    });
  });

  test('the same index in two choices is two calls', async () => {
    const call = (id: string): object => ({ tool_calls: [{ index: 0, id, function: { name: 'Read', arguments: '{"path":' } }] });
    const more = { tool_calls: [{ index: 0, function: { arguments: '1}' } }] };
    const { calls } = await replyTo([
      chunk(call('a')),
      chunk(call('b'), { choice: 1 }),
      chunk(more),
      chunk(more, { choice: 1 }),
      ...END,
    ]);
    expect(calls).toEqual([
      ['a', 'Read', { path: 1 }],
      ['b', 'Read', { path: 1 }],
    ]);
  });

  test('white space between and after calls is no text', async () => {
    const reply = await replyTo([
      fragment({ index: 0, id: 'a', name: 'Read', json: '{}' }),
      chunk({ content: '\n ' }),
      fragment({ index: 1, id: 'b', name: 'Read', json: '{}' }),
      chunk({ content: ' ' }),
      ...END,
    ]);
    expect(reply.message.content.map((block) => block.type)).toEqual(['tool_use', 'tool_use']);
  });

  test('a call comes out only at the end of the message', () => {
    const reader = createChatReader('provider', 'model');
    const events = [fragment({ index: 0, id: 'a', name: 'Read', json: '{"path":1}' }), finish('tool_calls')];
    const before = events.flatMap((event) => reader.read(JSON.stringify(event)));
    expect(before.map((event) => event.type)).toEqual(['message_start', 'tool_use_start', 'tool_input_delta']);
    expect(reader.read(DONE).map((event) => event.type)).toEqual(['tool_use', 'block_end', 'message_end']);
    expect(reader.read(JSON.stringify(chunk({ content: 'more' })))).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  test('a call that has nothing at all is none; one that has no name fails the message', async () => {
    const empty = fragment({ index: 0, id: '', name: '', json: '' });
    expect(await replyTo([chunk({ content: 'Hi' }), empty, finish('stop'), DONE])).toMatchObject({
      stopReason: 'end_turn',
      calls: [],
    });
    const named = fragment({ index: 1, id: 'b', name: 'Read', json: '{}' });
    const reply = await replyTo([fragment({ index: 0, id: 'a', json: '{"x":1}' }), named, ...END]);
    expect(reply).toMatchObject({ error: { kind: 'malformed_call' }, isRetryable: true, started: [] });
  });
});
