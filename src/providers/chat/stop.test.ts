import { describe, expect, test } from 'vitest';
import { chunk, DONE, finish, fragment, replyTo, sse } from '../../../test/chat-chunks.ts';
import { readReply } from '../../../test/read-reply.ts';
import { createChatReader } from './reader.ts';

const hi = chunk({ content: 'Hi' });
const first = fragment({ index: 0, id: 'a', name: 'Read', json: '{"path":1}' });
const second = fragment({ index: 1, id: 'b', name: 'Write', json: '{}' });

describe('the end of a message', () => {
  test('finish reasons in the words of many servers', async () => {
    const words = { stop: 'end_turn', eos: 'end_turn', STOP: 'end_turn', end_turn: 'end_turn', content_filter: 'refusal' };
    for (const [word, stopReason] of Object.entries(words))
      expect(await replyTo([hi, finish(word), DONE])).toMatchObject({ stopReason, message: { state: 'complete' } });
    for (const [word, stopReason] of Object.entries({ length: 'max_tokens', model_context_window_exceeded: 'context_overflow' }))
      expect(await replyTo([hi, finish(word), DONE])).toMatchObject({ stopReason, message: { state: 'cut' } });
    for (const word of ['tool_calls', 'function_call', 'tool_use', 'stop', 'eos'])
      expect(await replyTo([first, finish(word), DONE])).toMatchObject({ stopReason: 'tool_use', started: [expect.any(String)] });
  });

  test('a later stop undoes neither calls nor a cut', async () => {
    expect(await replyTo([first, finish('tool_calls'), finish('stop'), DONE])).toMatchObject({ stopReason: 'tool_use' });
    expect(await replyTo([hi, finish('length'), finish('stop'), DONE])).toMatchObject({ stopReason: 'max_tokens' });
    expect(await replyTo([first, finish('length'), finish('tool_calls'), DONE])).toMatchObject({ stopReason: 'max_tokens' });
  });

  test('no finish reason but the last word: the content tells', async () => {
    expect(await replyTo([hi, DONE])).toMatchObject({ stopReason: 'end_turn', error: null });
    expect(await replyTo([first, DONE])).toMatchObject({ stopReason: 'tool_use', error: null });
  });

  test('a finish reason but no last word is enough', async () => {
    expect(await replyTo([first, finish('tool_calls')])).toMatchObject({ stopReason: 'tool_use', error: null });
  });

  test('neither is a message that failed, and no call of it comes out', async () => {
    const reply = await replyTo([first]);
    expect(reply).toMatchObject({ error: { kind: 'incomplete' }, isRetryable: true, started: [], message: { state: 'failed' } });
  });

  test('with length the last call does not come out, whatever its arguments look like', async () => {
    // Source: vllm-project/vllm#46303
    const reply = await replyTo([first, second, finish('length'), DONE]);
    expect(reply.started).toHaveLength(1);
    expect(reply.calls).toEqual([
      ['a', 'Read', { path: 1 }],
      ['b', 'Write', '{}'],
    ]);
    expect(reply.message).toMatchObject({ state: 'cut', content: [{}, { input: null, malformedInput: '{}' }] });
    const unnamed = fragment({ name: 'Write', json: '{"pa' });
    expect((await replyTo([unnamed, finish('length'), DONE])).calls).toEqual([[null, 'Write', '{"pa']]);
  });

  test('tool_calls with arguments that are no JSON object is a call that the model is told about', async () => {
    // Source: vllm-project/vllm#53269
    for (const json of ['{"path": "/a', '[1]', '"x"', 'null', '{} {}']) {
      const reply = await replyTo([fragment({ index: 0, id: 'a', name: 'Read', json }), finish('tool_calls'), DONE]);
      expect(reply).toMatchObject({ stopReason: 'tool_use', message: { content: [{ input: null, malformedInput: json }] } });
      expect(reply.started).toHaveLength(1);
    }
  });

  test('an unknown finish reason is an error that names it', async () => {
    const reply = await replyTo([first, finish('bored'), DONE]);
    expect(reply).toMatchObject({ error: { kind: 'protocol', message: expect.stringContaining('"bored"') }, started: [] });
    expect(await replyTo([hi, finish('constructor'), DONE])).toMatchObject({ error: { kind: 'protocol' } });
  });

  test('a server that gives up is asked again', async () => {
    for (const [word, kind] of Object.entries({ error: 'server', insufficient_system_resource: 'overloaded' }))
      expect(await replyTo([hi, finish(word), DONE])).toMatchObject({ error: { kind }, isRetryable: true });
  });

  test("a call that Gemini's door found malformed is asked for again", async () => {
    // Source: coder/coder#28470
    const reply = await replyTo([first, finish('function_call_filter: MALFORMED_FUNCTION_CALL'), DONE]);
    expect(reply).toMatchObject({ error: { kind: 'malformed_call' }, isRetryable: true, started: [] });
  });
});

describe('errors inside a 200', () => {
  const failedWith = async (...events: readonly (object | string)[]): Promise<unknown> => {
    const { error, isRetryable, finalEvents, started } = await replyTo([first, ...events, DONE]);
    expect({ finalEvents, started }).toEqual({ finalEvents: 1, started: [] });
    return { ...error, isRetryable };
  };

  test('in an event of its own', async () => {
    const error = { message: 'Slow down', type: 'rate_limit_error' };
    expect(await failedWith({ error })).toEqual({ kind: 'rate_limit', message: 'Slow down', status: null, isRetryable: true });
    expect(await failedWith({ error: 'out of memory' })).toMatchObject({ kind: 'server', message: 'out of memory' });
  });

  test('beside the choices, also after a finish reason', async () => {
    const event = { ...chunk({ content: '' }), error: { code: 502, message: 'Upstream is gone' } };
    expect(await failedWith(finish('tool_calls'), event)).toEqual({
      kind: 'server',
      message: 'Upstream is gone',
      status: null,
      isRetryable: true,
    });
    const tooLong = { ...chunk({}), error: { code: 400, message: 'maximum context length is 8192 tokens' } };
    expect(await failedWith(tooLong)).toMatchObject({ kind: 'context_overflow', isRetryable: false });
  });

  test('in a choice', async () => {
    const choice = { index: 0, delta: {}, finish_reason: 'error', error: { code: 503, message: 'No capacity' } };
    expect(await failedWith({ choices: [choice] })).toMatchObject({ kind: 'overloaded', message: 'No capacity' });
  });

  test("in place of a chunk, in Google's words or in an array", async () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
    expect(await failedWith({ error })).toMatchObject({ kind: 'overloaded', message: 'The model is overloaded.' });
    expect(await failedWith(JSON.stringify([{ error }]))).toMatchObject({ kind: 'overloaded' });
  });

  test('as an object that is the error', async () => {
    const error = { object: 'error', message: 'bad schema', type: 'BadRequestError', code: 400 };
    expect(await failedWith(error)).toMatchObject({ kind: 'bad_request', message: 'bad schema', isRetryable: false });
  });

  test('null and empty ones are none', async () => {
    expect(await replyTo([{ ...hi, error: null }, { ...finish('stop'), error: {} }, DONE])).toMatchObject({ error: null });
  });

  test('a call that Groq refused is asked for again, with what the model wrote', async () => {
    const error = {
      message: 'Tool call validation failed',
      code: 'tool_use_failed',
      failed_generation: '{"x": ',
      status_code: 400,
    };
    expect(await failedWith({ error })).toEqual({
      kind: 'malformed_call',
      message: 'Tool call validation failed The model wrote: {"x": ',
      status: null,
      isRetryable: true,
    });
  });
});

describe('a body that is not as it should be', () => {
  const read = (...pieces: readonly string[]) => readReply(createChatReader('provider', 'model'), [Buffer.from(pieces.join(''))]);
  const head = sse(hi).toString();

  test('that ends in mid-line is incomplete, and asked for again', async () => {
    expect(await read(head, 'data: {"choices":[{"delta":{"con')).toMatchObject({
      error: { kind: 'incomplete' },
      isRetryable: true,
    });
    expect(await read(sse(hi, finish('stop')).toString(), 'data: {"cho')).toMatchObject({ error: { kind: 'incomplete' } });
  });

  test('with an event that is no JSON object breaks the protocol', async () => {
    for (const data of ['{oops', '{oops\n\ndata: [DONE]', 'null', '7', '[]']) {
      const reply = await read(head, `data: ${data}\n\n`, sse(hi, DONE).toString());
      expect(reply).toMatchObject({ error: { kind: 'protocol' }, isRetryable: false, finalEvents: 1 });
    }
    expect(await read(head, 'data: {oops\n\n', sse(finish('stop')).toString())).toMatchObject({ error: { kind: 'protocol' } });
  });

  test('with chunks of no known shape is read past', async () => {
    const odd = [{}, { choices: null }, { choices: [null, 7] }, { choices: [{ delta: 'x' }] }, chunk(null), chunk({ role: '' })];
    const strange = chunk({ content: 7, tool_calls: [null, { function: 'x' }], obfuscation: 'zz' });
    const reply = await replyTo([...odd, hi, strange, finish('stop'), DONE]);
    expect(reply.message.content).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(reply.stopReason).toBe('end_turn');
  });
});
