import { describe, expect, test } from 'vitest';
import { expectedShape, piecesOf, type ReadReply, readReply, shapeOf } from '../../../test/read-reply.ts';
import { type RecordedStream, recordedStreams, sseBytesOf } from '../../../test/recorded-streams.ts';
import { createGeminiReader } from './reader.ts';
import { asObject, stringOr } from '../json-fields.ts';

const replyOf = (pieces: Iterable<Uint8Array>): Promise<ReadReply> => readReply(createGeminiReader('gemini', 'model'), pieces);

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

/** Where each event ends; the lines end in CRLF on the wire, and in LF in files of one event a line. */
function boundariesOf(bytes: Buffer): number[] {
  return [...bytes.toString('latin1').matchAll(/\r?\n\r?\n/g)].map(({ index, 0: end }) => index + end.length);
}

const signaturesOf = ({ message }: ReadReply): number[] =>
  message.content.flatMap((block) =>
    'replay' in block ? [stringOr(asObject(block.replay?.data)['thoughtSignature'], '').length] : [],
  );

const wantedSignatures = ({ expected }: RecordedStream): number[] =>
  expected.blocks.flatMap((block) => ('thought_signature_length' in block ? [Number(block['thought_signature_length'])] : []));

const streams = recordedStreams('gemini');

describe.skipIf(streams === null)('recorded Gemini streams (skipped where ../shared/cases/streams is absent)', () => {
  describe.each(streams ?? [])('$file', (stream) => {
    const bytes = sseBytesOf(stream);

    test('gives what is expected, whole, byte by byte and in random pieces', async () => {
      const whole = await replyOf([bytes]);
      expect(shapeOf(whole)).toEqual(expectedShape(stream));
      expect(whole.finalEvents).toBe(1);
      expect(shapeOf(await replyOf(piecesOf(bytes, 1)))).toEqual(shapeOf(whole));
      for (const seed of [1, 2, 3, 4, 5]) expect(shapeOf(await replyOf(randomPieces(bytes, seed)))).toEqual(shapeOf(whole));
    });

    test('keeps every signature whole, on its own part', async () => {
      expect(signaturesOf(await replyOf([bytes]))).toEqual(wantedSignatures(stream));
    });

    test('cut at any event it is full or failed, and has no call that the uncut one has not', async () => {
      const whole = await replyOf([bytes]);
      const boundaries = boundariesOf(bytes);
      expect(boundaries.length).toBeGreaterThan(0);
      for (const end of [0, ...boundaries]) {
        const cut = await replyOf([bytes.subarray(0, end)]);
        if (cut.error === null) expect(shapeOf(cut)).toEqual(shapeOf(whole));
        expect(whole.started).toEqual(expect.arrayContaining([...cut.started]));
        expect(cut.finalEvents).toBe(1);
      }
    });
  });
});

type Part = Readonly<Record<string, unknown>>;

/** A chunk as a server sends it. */
function chunk(parts: readonly Part[], candidate: object = {}, more: object = {}): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0, ...candidate }], ...more };
}

const sse = (...chunks: readonly unknown[]): Buffer =>
  Buffer.from(chunks.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join(''));

/** Parts, each in a chunk of its own, and the last word. */
const replyTo = (parts: readonly Part[], finishReason = 'STOP', candidate: object = {}): Promise<ReadReply> =>
  replyOf([sse(...parts.map((part) => chunk([part])), chunk([], { finishReason, ...candidate }))]);

const call = (functionCall: object, more: object = {}): Part => ({ functionCall, ...more });
const signed = (thoughtSignature: string) => ({ thoughtSignature });
const token = (data: object) => ({ provider: 'gemini', model: 'model', data });

describe('calls in a Gemini stream', () => {
  test('come whole, with an id only where one was given, and end the message as tool_use', async () => {
    const reply = await replyTo([call({ name: 'Look', args: { a: 1 }, id: 'x1' }), call({ name: 'Find' })]);
    expect(reply).toMatchObject({ stopReason: 'tool_use', message: { state: 'complete' } });
    expect(reply.message.content).toEqual([
      { type: 'tool_use', id: 'x1', wireId: 'x1', name: 'Look', input: { a: 1 } },
      { type: 'tool_use', id: expect.any(String), wireId: null, name: 'Find', input: {} },
    ]);
  });

  test('keep the signature of their own part', async () => {
    const { message } = await replyTo([call({ name: 'Look' }, signed('s1')), call({ name: 'Find' })]);
    expect(message.content.map((block) => 'replay' in block && block.replay)).toEqual([token(signed('s1')), false]);
  });

  test('with args that are no object are malformed', async () => {
    for (const args of [[1], 'text', 7]) {
      expect((await replyTo([call({ name: 'Look', args })])).message.content).toMatchObject([{ input: null }]);
    }
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])('of a message that ends as %s never run', async (word) => {
    const reply = await replyTo([call({ name: 'Look', args: {} })], word, { finishMessage: 'print(Look(' });
    expect(reply).toMatchObject({ error: { kind: 'malformed_call', message: `${word}: print(Look(` }, isRetryable: true });
    expect(reply.message.state).toBe('failed');
    expect(await replyTo([], word)).toMatchObject({ error: { kind: 'malformed_call' }, message: { content: [] } });
  });
});

describe('calls whose arguments come in pieces', () => {
  const start = call({ name: 'Look', willContinue: true }, signed('s1'));
  const piece = (...partialArgs: readonly object[]): Part => call({ partialArgs, willContinue: true });
  const inputOf = async (...parts: readonly Part[]): Promise<unknown> => {
    const [block] = (await replyTo([start, ...parts])).message.content;
    return block?.type === 'tool_use' ? block.input : 'no call';
  };

  test('join texts that go on and put every value in its place', async () => {
    const text = { jsonPath: '$.deep.path', stringValue: 'a', willContinue: true };
    const input = await inputOf(
      piece(text),
      call({ willContinue: true }),
      piece({ ...text, stringValue: 'b' }, { jsonPath: '$.deep.path', stringValue: 'c' }),
      piece({ jsonPath: '$.list[0].n', numberValue: 0 }, { jsonPath: '$.list[1]', boolValue: false }),
      piece({ jsonPath: `$['odd key']`, nullValue: 'NULL_VALUE' }, { jsonPath: '$.deep.path', stringValue: 'anew' }),
      call({}),
    );
    expect(input).toEqual({ deep: { path: 'anew' }, list: [{ n: 0 }, false], 'odd key': null });
  });

  test('end with their terminator, with the next call, or with the message', async () => {
    const value = piece({ jsonPath: '$.a', numberValue: 1 });
    const endings = [[call({})], [call({ name: 'Find' })], []];
    for (const ending of endings) {
      const { message } = await replyTo([start, value, ...ending]);
      expect(message.content[0]).toMatchObject({ name: 'Look', input: { a: 1 }, replay: token(signed('s1')) });
    }
  });

  test('may be signed late, and are malformed where a text that goes on does not', async () => {
    const late = call({ willContinue: true }, signed('s2'));
    const { message } = await replyTo([call({ name: 'Look', willContinue: true }), late, call({})]);
    expect(message.content).toMatchObject([{ input: {}, replay: token(signed('s2')) }]);
    expect(await inputOf(piece({ jsonPath: '$.a', stringValue: 'rm -rf /', willContinue: true }), call({}))).toBeNull();
  });

  test('are incomplete where the limit cut them', async () => {
    const reply = await replyTo([start, piece({ jsonPath: '$.a', numberValue: 1 })], 'MAX_TOKENS');
    expect(reply).toMatchObject({ stopReason: 'max_tokens', message: { state: 'cut', content: [{ input: null }] } });
    expect(reply.started).toEqual([]);
  });

  test('are malformed where a path leads out of the object, into a hole, through a value or nowhere', async () => {
    const paths = [
      '$.__proto__.polluted',
      '$.a.constructor.x',
      '$["__proto__"]',
      '$.list[9]',
      '$.t.deeper',
      '$',
      'a',
      '$.a[',
      '$..a',
    ];
    for (const jsonPath of paths) {
      const [first, odd] = [piece({ jsonPath: '$.t', stringValue: 'x' }), piece({ jsonPath, stringValue: 'x' })];
      expect(await inputOf(first, odd, call({})), jsonPath).toBeNull();
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const own = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    await replyTo([call({ name: 'Look', args: own })]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('text and thoughts in a Gemini stream', () => {
  test('join with their like, and never with a signed part', async () => {
    const { message } = await replyTo([
      { text: 'I ', thought: true },
      { text: 'think', thought: true },
      { text: 'one ' },
      { text: '' },
      { text: 'two' },
      { text: ' signed', ...signed('s1') },
      { text: ' three' },
      { text: '', ...signed('s2') },
    ]);
    expect(message.content).toEqual([
      { type: 'thinking', text: 'I think' },
      { type: 'text', text: 'one two' },
      { type: 'text', text: ' signed', replay: token(signed('s1')) },
      { type: 'text', text: ' three' },
      { type: 'opaque', replay: token({ text: '', ...signed('s2') }) },
    ]);
  });

  test('give no event for an empty piece but the signature that it carries', () => {
    const events = createGeminiReader('gemini', 'model').read(
      JSON.stringify(chunk([{ text: '' }, { text: '', ...signed('s1') }])),
    );
    expect(events.map(({ type }) => type)).toEqual(['message_start', 'opaque_block']);
  });

  test('keep blank signed text as the part it was, and drop blank text without a signature', async () => {
    const { message } = await replyTo([{ text: ' \n', ...signed('s1') }, { text: 'x', thought: true }, { text: '\n' }]);
    expect(message.content).toEqual([
      { type: 'opaque', replay: token({ text: ' \n', ...signed('s1') }) },
      { type: 'thinking', text: 'x' },
    ]);
  });

  test('stand beside parts that wield does not know, which are kept and skipped', async () => {
    const part = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, ...signed('s1') };
    const { message } = await replyTo([{ text: 'a' }, part, {}, { text: 'b' }]);
    expect(message.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'opaque', replay: token(part) },
      { type: 'text', text: 'b' },
    ]);
  });
});

describe('the end of a Gemini stream', () => {
  test('is a refusal for every word of safety, and for a blocked prompt', async () => {
    for (const word of ['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'LANGUAGE', 'IMAGE_SAFETY'])
      expect(await replyTo([{ text: 'x' }], word)).toMatchObject({ stopReason: 'refusal', message: { state: 'complete' } });
    expect(await replyOf([sse({ promptFeedback: { blockReason: 'OTHER' } })])).toMatchObject({ stopReason: 'refusal' });
  });

  test('is a failure that names a word it does not know', async () => {
    const reply = await replyTo([{ text: 'x' }], 'constructor', { finishMessage: 'who knows' });
    expect(reply).toMatchObject({ error: { kind: 'protocol', message: expect.stringContaining('"constructor" (who knows)') } });
  });

  test('is a failure where no last word came', async () => {
    const reply = await replyOf([sse(chunk([{ text: 'half' }]), chunk([call({ name: 'Look' })]))]);
    expect(reply).toMatchObject({ error: { kind: 'incomplete' }, isRetryable: true, message: { state: 'failed' } });
  });

  test('may come before the last usage and the last call', async () => {
    const late = chunk([call({ name: 'Look' })], {}, { usageMetadata: { promptTokenCount: 5 } });
    const reply = await replyOf([sse(chunk([{ text: 'x' }], { finishReason: 'STOP' }), late)]);
    expect(reply).toMatchObject({ stopReason: 'tool_use', usage: { inputTokens: 5 } });
  });

  test('is one error, in a chunk or in an array of them', async () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
    for (const data of [{ error }, [{ error }, { error }], { error: { ...error, code: undefined } }]) {
      const reply = await replyOf([sse(chunk([{ text: 'x' }]), data, chunk([], { finishReason: 'STOP' }))]);
      expect(reply).toMatchObject({
        error: { kind: 'overloaded', message: error.message, status: null },
        isRetryable: true,
        finalEvents: 1,
      });
    }
    expect(await replyOf([sse({ error: { code: 400, message: 'bad schema' } })])).toMatchObject({
      error: { kind: 'bad_request' },
      isRetryable: false,
    });
    expect(await replyOf([Buffer.from('data: {oops\r\n\r\n')])).toMatchObject({ error: { kind: 'protocol' } });
  });

  test('counts thoughts as output and cached tokens apart, by the last chunk alone', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
    };
    const early = chunk([], {}, { usageMetadata: { ...usageMetadata, promptTokenCount: 90 } });
    const reply = await replyOf([sse(early, chunk([], { finishReason: 'STOP' }, { usageMetadata }))]);
    expect(reply.usage).toEqual({
      inputTokens: 45,
      outputTokens: 50,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
      reasoningTokens: 30,
    });
  });
});
