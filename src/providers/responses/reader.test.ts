import { describe, expect, test } from 'vitest';
import { expectedShape, piecesOf, type ReadReply, readReply, shapeOf } from '../../../test/read-reply.ts';
import { eventBoundaries, type RecordedStream, recordedStreams, sseBytesOf } from '../../../test/recorded-streams.ts';
import { NO_USAGE } from '../../core/model.ts';
import { stringOr } from '../json-fields.ts';
import { createResponsesReader } from './reader.ts';

const replyOf = (pieces: Iterable<Uint8Array>): Promise<ReadReply> => readReply(createResponsesReader('openai', 'model'), pieces);

/** A call that may not run has no input here; a stream that failed has no usage. */
function wantedOf(stream: RecordedStream): unknown {
  const blocks = stream.expected.blocks.map((block) => (block.complete === false ? { ...block, input: null } : block));
  const { inputTokens: input_tokens, outputTokens: output_tokens } = NO_USAGE;
  const usage = stream.expected.usage ?? { input_tokens, output_tokens, cache_read_tokens: 0, cache_write_tokens: 0 };
  return expectedShape({ ...stream, expected: { ...stream.expected, blocks, usage } });
}

/** Pieces of 1 to 90 bytes, the same for the same seed. */
function* randomPieces(bytes: Buffer, seed: number): Generator<Buffer> {
  let state = seed;
  for (let at = 0; at < bytes.length; ) {
    state = (state * 48_271) % 2_147_483_647;
    const size = 1 + (state % 90);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const streams = recordedStreams('openai-responses');

describe.skipIf(streams === null)('recorded Responses streams (skipped where ../shared/cases/streams is absent)', () => {
  describe.each(streams ?? [])('$file', (stream) => {
    const bytes = sseBytesOf(stream);

    test('gives what is expected, whole, byte by byte and in random pieces', async () => {
      const whole = await replyOf([bytes]);
      expect(shapeOf(whole)).toEqual(wantedOf(stream));
      expect(whole.finalEvents).toBe(1);
      expect(shapeOf(await replyOf(piecesOf(bytes, 1)))).toEqual(shapeOf(whole));
      for (const seed of [1, 2, 3, 4, 5]) expect(shapeOf(await replyOf(randomPieces(bytes, seed)))).toEqual(shapeOf(whole));
    });

    test('keeps sealed reasoning whole, and the phase of each message', async () => {
      const { message } = await replyOf([bytes]);
      const dataOf = (type: string): Record<string, unknown>[] =>
        message.content.flatMap((block) =>
          block.type === type && 'replay' in block ? [(block.replay?.data ?? {}) as Record<string, unknown>] : [],
        );
      const wanted = stream.expected.blocks as readonly (Record<string, unknown> & { type: string })[];
      const ofType = (type: string): Record<string, unknown>[] => wanted.filter((block) => block.type === type);
      expect(dataOf('thinking').map((data) => data['id'])).toEqual(ofType('thinking').map((block) => block['item_id']));
      expect(dataOf('thinking').map((data) => stringOr(data['encrypted_content'], '').length)).toEqual(
        ofType('thinking').map((block) => block['encrypted_content_length'] ?? 0),
      );
      expect(dataOf('text').map((data) => data['phase'])).toEqual(
        ofType('text').flatMap((block) => (block['phase'] === undefined ? [] : [block['phase']])),
      );
    });

    test('cut at any event it is full or failed, and has no call that the uncut one has not', async () => {
      const whole = await replyOf([bytes]);
      const boundaries = eventBoundaries(bytes);
      expect(boundaries.length).toBeGreaterThan(2);
      for (const end of boundaries) {
        const cut = await replyOf([bytes.subarray(0, end)]);
        if (cut.error === null) expect(shapeOf(cut)).toEqual(shapeOf(whole));
        expect(whole.started).toEqual(expect.arrayContaining([...cut.started]));
        expect(cut.finalEvents).toBe(1);
      }
    });
  });
});

type Event = Readonly<Record<string, unknown>>;

/** Events as a server sends them. */
function sse(...events: readonly Event[]): Buffer {
  return Buffer.from(events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

const replyTo = (...events: readonly Event[]): Promise<ReadReply> => replyOf([sse(START, ...events)]);

const START = { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress' } };
const completed = (usage: object | null = null): Event => ({
  type: 'response.completed',
  response: { status: 'completed', usage },
});
const incomplete = (reason: string): Event => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: { reason } },
});
const added = (item: object, output_index = 0): Event => ({ type: 'response.output_item.added', output_index, item });
const done = (item: object, output_index = 0): Event => ({ type: 'response.output_item.done', output_index, item });
const piece = (kind: string, delta: string, more: object = {}): Event => ({
  type: `response.${kind}.delta`,
  output_index: 0,
  delta,
  ...more,
});
const call = (args: unknown, more: object = {}): object => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'Look',
  arguments: args,
  ...more,
});
const message = (content: object[], more: object = {}): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content,
  ...more,
});
const made = { provider: 'openai', model: 'model' };

describe('calls in a Responses stream', () => {
  test('come from the done item, whatever the pieces said', async () => {
    const reply = await replyTo(
      added(call('')),
      piece('function_call_arguments', '{"a"'),
      done(call('{"a":1}', { id: 'fc_other' })),
      completed(),
    );
    expect(reply).toMatchObject({ stopReason: 'tool_use', message: { state: 'complete' } });
    expect(reply.message.content).toEqual([{ type: 'tool_use', id: 'call_1', wireId: 'call_1', name: 'Look', input: { a: 1 } }]);
    expect(reply.started).toHaveLength(1);
  });

  test('may have no arguments, or an object in their place', async () => {
    for (const args of ['', null, undefined, '{}', {}]) {
      const { message } = await replyTo(added(call('')), done(call(args)), completed());
      expect(message.content).toMatchObject([{ input: {} }]);
    }
    expect((await replyTo(done(call({ a: 1 })), completed())).message.content).toMatchObject([{ input: { a: 1 } }]);
  });

  test('without a done item are incomplete, and the message is cut', async () => {
    const reply = await replyTo(added(call('')), piece('function_call_arguments', '{"a":1}'), completed());
    expect(reply).toMatchObject({ message: { state: 'cut', content: [{ input: null, malformedInput: '{"a":1}' }] } });
    expect(reply.started).toEqual([]);
  });

  test('that the limit cut never run, though their item is done', async () => {
    const reply = await replyTo(
      added(call('')),
      piece('function_call_arguments', '{}'),
      done(call('{}', { status: 'incomplete' })),
      incomplete('max_output_tokens'),
    );
    expect(reply).toMatchObject({ stopReason: 'max_tokens', message: { state: 'cut', content: [{ input: null }] } });
    expect(reply.started).toEqual([]);
  });

  test('keep their own items while pieces of two of them mix', async () => {
    const second = call('{"b":2}', { call_id: 'call_2' });
    const reply = await replyTo(
      added(call(''), 0),
      added(call('', { call_id: 'call_2' }), 1),
      piece('function_call_arguments', '{"b":2}', { output_index: 1, item_id: 'x' }),
      piece('function_call_arguments', '{"a":1}', { output_index: 0, item_id: 'x' }),
      done(second, 1),
      done(call('{"a":1}'), 0),
      completed(),
    );
    expect(reply.message.content).toMatchObject([
      { wireId: 'call_1', input: { a: 1 } },
      { wireId: 'call_2', input: { b: 2 } },
    ]);
  });

  test('of a custom tool are free text, which is no input', async () => {
    const item = { type: 'custom_tool_call', call_id: 'call_1', name: 'sh', input: '{"looks": "like JSON"}' };
    const reply = await replyTo(added({ ...item, input: '' }), piece('custom_tool_call_input', '{"lo'), done(item), completed());
    expect(reply.message.content).toMatchObject([{ name: 'sh', input: null, malformedInput: '{"looks": "like JSON"}' }]);
  });

  test('that a proxy repeats come once', async () => {
    const reply = await replyTo(added(call('')), added(call('')), done(call('{}')), done(call('{}')), completed());
    expect(reply.started).toHaveLength(1);
  });
});

describe('text and reasoning in a Responses stream', () => {
  test('are completed from the done item where pieces are missing', async () => {
    const text = (whole: string): object => message([{ type: 'output_text', text: whole }]);
    expect((await replyTo(added(message([])), done(text('hello')), completed())).message.content).toEqual([
      { type: 'text', text: 'hello' },
    ]);
    const partly = await replyTo(added(message([])), piece('output_text', 'hel'), done(text('hello')), completed());
    expect(partly.message.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  test('keep the phase of a message, and drop a blank one whole', async () => {
    const phase = 'commentary';
    const reply = await replyTo(
      done(message([{ type: 'output_text', text: ' \n' }], { phase })),
      done(message([{ type: 'output_text', text: 'first' }], { phase }), 1),
      completed(),
    );
    expect(reply.message.content).toEqual([{ type: 'text', text: 'first', replay: { ...made, data: { phase } } }]);
  });

  test('have a paragraph for each part of a summary, and the item whole beside them', async () => {
    const summary = [
      { type: 'summary_text', text: 'one' },
      { type: 'summary_text', text: 'two' },
    ];
    const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'sealed' };
    const pieces = ['one', 'two'].map((delta, summary_index) => piece('reasoning_summary_text', delta, { summary_index }));
    const block = { type: 'thinking', text: 'one\n\ntwo', replay: { ...made, data: item } };
    expect((await replyTo(added(item), ...pieces, done(item), completed())).message.content).toEqual([block]);
    expect((await replyTo(added(item), ...pieces.slice(0, 1), done(item), completed())).message.content).toEqual([block]);
    expect((await replyTo(added(item), done(item), completed())).message.content).toEqual([block]);
  });

  test('may be raw reasoning', async () => {
    const item = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'so be it' }] };
    const reply = await replyTo(added(item), piece('reasoning_text', 'so', { content_index: 0 }), done(item), completed());
    expect(reply.message.content).toEqual([{ type: 'thinking', text: 'so be it', replay: { ...made, data: item } }]);
  });

  test('stand beside what wield does not know, which is kept and skipped', async () => {
    const item = { type: 'hologram', id: 'h_1', payload: 'x' };
    const reply = await replyTo({ type: 'response.brand_new' }, added(item), piece('hologram', 'x'), done(item), completed());
    expect(reply.message.content).toEqual([{ type: 'opaque', replay: { ...made, data: item } }]);
  });
});

describe('the end of a Responses stream', () => {
  test('is a refusal where a part refuses, though the status says completed', async () => {
    const refused = message([{ type: 'refusal', refusal: 'I cannot.' }]);
    expect(await replyTo(added(message([])), piece('refusal', 'I can'), done(refused), completed())).toMatchObject({
      stopReason: 'refusal',
      message: { content: [{ type: 'text', text: 'I cannot.' }] },
    });
    expect(await replyTo(done(refused), completed())).toMatchObject({ stopReason: 'refusal' });
    expect(await replyTo(incomplete('content_filter'))).toMatchObject({ stopReason: 'refusal' });
  });

  test('is incomplete for a reason, and an unknown one is an error that names it', async () => {
    expect(await replyTo(incomplete('max_output_tokens'))).toMatchObject({
      stopReason: 'max_tokens',
      message: { state: 'cut' },
    });
    expect(await replyTo(incomplete('bored'))).toMatchObject({
      error: { kind: 'protocol', message: expect.stringContaining('bored') },
    });
    const worse = { type: 'response.completed', response: incomplete('max_output_tokens')['response'] };
    expect(await replyTo(worse)).toMatchObject({ stopReason: 'max_tokens' });
  });

  test('without its last event has failed, whatever [DONE] says', async () => {
    const reply = await replyOf([sse(START, done(call('{}'))), Buffer.from('data: [DONE]\n\n')]);
    expect(reply).toMatchObject({ error: { kind: 'incomplete' }, isRetryable: true, message: { state: 'failed' } });
    expect((await replyOf([sse(START, completed()), Buffer.from('data: [DONE]\n\n')])).stopReason).toBe('end_turn');
  });

  test('is one error, in any of its shapes', async () => {
    const error = { type: 'server_error', code: 'rate_limit_exceeded', message: 'slow down' };
    const failed = { type: 'response.failed', response: { status: 'failed', error } };
    const shapes = [[{ type: 'error', error }, failed], [{ ...error, type: 'error' }], [failed], [{ error }]];
    for (const events of shapes) {
      const reply = await replyTo(...events);
      expect(reply).toMatchObject({ error: { kind: 'rate_limit', message: 'slow down' }, isRetryable: true, finalEvents: 1 });
    }
    const tooLong = { type: 'error', code: 'context_length_exceeded', message: 'too long' };
    expect(await replyTo(tooLong)).toMatchObject({ error: { kind: 'context_overflow' }, isRetryable: false });
    const nothing = { type: 'response.failed', response: { status: 'failed', error: null } };
    expect(await replyTo(nothing)).toMatchObject({ error: { kind: 'server' } });
  });

  test('counts cached tokens apart', async () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
    };
    expect((await replyTo(completed(usage))).usage).toEqual({
      inputTokens: 10,
      outputTokens: 50,
      cacheReadTokens: 60,
      cacheWriteTokens: 30,
      reasoningTokens: 40,
    });
  });
});
