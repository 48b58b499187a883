import { describe, expect, test } from 'vitest';
import { expectedShape, piecesOf, type ReadReply, readReply, shapeOf } from '../../../test/read-reply.ts';
import { eventBoundaries, recordedStreams, sseBytesOf } from '../../../test/recorded-streams.ts';
import { Assembler } from '../../agent/assemble.ts';
import { createAnthropicReader } from './reader.ts';

const replyOf = (pieces: Iterable<Uint8Array>): Promise<ReadReply> =>
  readReply(createAnthropicReader('anthropic', 'model'), pieces);

const streams = recordedStreams('anthropic-messages');

describe.skipIf(streams === null)('recorded Anthropic streams (skipped where ../shared/cases/streams is absent)', () => {
  describe.each(streams ?? [])('$file', (stream) => {
    const bytes = sseBytesOf(stream);

    test('gives what is expected, whole and byte by byte', async () => {
      const whole = await replyOf([bytes]);
      expect(shapeOf(whole)).toEqual(expectedShape(stream));
      expect(whole.finalEvents).toBe(1);
      expect(shapeOf(await replyOf(piecesOf(bytes, 1)))).toEqual(shapeOf(whole));
    });

    test('keeps opaque values whole', async () => {
      const { message } = await replyOf([bytes]);
      const replays = message.content.flatMap((block) =>
        'replay' in block && block.replay !== undefined ? [block.replay.data as Record<string, unknown>] : [],
      );
      const signatures = replays.flatMap((data) => (data['type'] === 'thinking' ? [String(data['signature']).length] : []));
      const redacted = replays.flatMap((data) => (data['type'] === 'redacted_thinking' ? [String(data['data']).length] : []));
      const wanted = stream.expected.blocks;
      expect(signatures).toEqual(wanted.flatMap((block) => (block.type === 'thinking' ? [block.signature_length ?? 0] : [])));
      expect(redacted).toEqual(wanted.flatMap((block) => (block.type === 'redacted_thinking' ? [block.data_length] : [])));
    });

    test('cut at any event it is full or failed, and has no call that the uncut one has not', async () => {
      const whole = await replyOf([bytes]);
      for (const end of eventBoundaries(bytes)) {
        const cut = await replyOf([bytes.subarray(0, end)]);
        if (cut.error === null) expect(shapeOf(cut)).toEqual(shapeOf(whole));
        expect(whole.started).toEqual(expect.arrayContaining([...cut.started]));
        expect(cut.finalEvents).toBe(1);
      }
    });
  });
});

/** Events as a server sends them. */
function sse(...events: readonly object[]): Buffer {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

const START = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', content: [], stop_reason: null, usage: { input_tokens: 3, output_tokens: 1 } },
};
const STOP = { type: 'message_stop' };
const callStart = (id: string, name = 'Look') => ({
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id, name, input: {} },
});
const json = (partial_json: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
});
const blockStop = { type: 'content_block_stop', index: 0 };
const ended = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } });

describe('the Anthropic reader', () => {
  test('joins fragments once and parses them once', async () => {
    const reply = await replyOf([
      sse(START, callStart('toolu_1'), json(''), json('{"a"'), json(':1}'), blockStop, ended('tool_use'), STOP),
    ]);
    expect(reply.message.content).toEqual([
      { type: 'tool_use', id: 'toolu_1', wireId: 'toolu_1', name: 'Look', input: { a: 1 } },
    ]);
    expect(reply.started).toHaveLength(1);
  });

  test('takes no arguments at all for an empty object', async () => {
    const reply = await replyOf([sse(START, callStart('toolu_1'), json(''), blockStop, ended('tool_use'), STOP)]);
    expect(reply.message.content).toMatchObject([{ input: {} }]);
  });

  test('keeps text that is no JSON object as malformed', async () => {
    for (const text of ['{"a": ', '[1]', '"x"', 'null', 'not json']) {
      const reply = await replyOf([sse(START, callStart('toolu_1'), json(text), blockStop, ended('tool_use'), STOP)]);
      expect(reply.message.content).toMatchObject([{ input: null, malformedInput: text }]);
    }
  });

  test('a body that ends without message_stop has failed, never stopped', async () => {
    const reply = await replyOf([sse(START, callStart('toolu_1'), json('{}'), blockStop, ended('tool_use'))]);
    expect(reply).toMatchObject({
      error: { kind: 'incomplete' },
      isRetryable: true,
      stopReason: null,
      message: { state: 'failed' },
    });
  });

  test('max_tokens inside a call leaves the call incomplete and the message cut', async () => {
    const reply = await replyOf([sse(START, callStart('toolu_1'), json('{"path": "/a'), ended('max_tokens'), STOP)]);
    expect(reply).toMatchObject({
      stopReason: 'max_tokens',
      message: { state: 'cut', content: [{ malformedInput: '{"path": "/a' }] },
    });
    expect(reply.started).toEqual([]);
  });

  test('an error event ends the message with the words of the provider', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    expect(await replyOf([sse(START, error)])).toMatchObject({
      error: { kind: 'overloaded', message: 'Overloaded' },
      isRetryable: true,
    });
    const refused = { type: 'error', error: { type: 'invalid_request_error', message: 'bad schema' } };
    expect(await replyOf([sse(START, refused)])).toMatchObject({
      error: { kind: 'bad_request', message: 'bad schema' },
      isRetryable: false,
    });
  });

  test('skips pings and what it does not know, and reads on', async () => {
    const odd = { type: 'content_block_start', index: 1, content_block: { type: 'hologram', payload: 'x' } };
    const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'hi' } };
    const reply = await replyOf([
      sse(
        START,
        { type: 'ping' },
        { type: 'brand_new' },
        text,
        blockStop,
        odd,
        { type: 'content_block_stop', index: 1 },
        ended('end_turn'),
        STOP,
      ),
    ]);
    expect(reply.message.content).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'opaque', replay: { provider: 'anthropic', model: 'model', data: { type: 'hologram', payload: 'x' } } },
    ]);
  });

  test('an unknown stop reason is an error that names it', async () => {
    expect(await replyOf([sse(START, ended('bored'), STOP)])).toMatchObject({
      error: { kind: 'protocol', message: expect.stringContaining('bored') },
    });
  });

  test('an event that is no JSON fails the message and nothing else', async () => {
    expect(await replyOf([Buffer.from('data: {oops\n\n')])).toMatchObject({ error: { kind: 'protocol' } });
  });

  test('keeps later usage over earlier, key by key', async () => {
    const late = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 40, output_tokens: 9, cache_read_input_tokens: null },
    };
    expect((await replyOf([sse(START, late, STOP)])).usage).toMatchObject({
      inputTokens: 40,
      outputTokens: 9,
      cacheReadTokens: 0,
    });
  });

  test('drops text that is only white space', async () => {
    const blank = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: ' \n' } };
    expect((await replyOf([sse(START, blank, blockStop, ended('end_turn'), STOP)])).message.content).toEqual([]);
  });

  test('makes an id where the provider repeats one', () => {
    const ids = new Set(['toolu_1']);
    const assembler = new Assembler({ provider: 'p', model: 'm' }, ids);
    assembler.accept({ type: 'tool_use_start', index: 0, wireId: 'toolu_1', name: 'Look' });
    const step = assembler.accept({ type: 'tool_use', index: 0, name: 'Look', input: {} });
    expect(step).toMatchObject({ call: { wireId: 'toolu_1', id: expect.not.stringMatching(/^toolu_1$/) } });
    expect(ids.size).toBe(2);
  });
});
