import { describe, expect, test } from 'vitest';
import { expectedShape, piecesOf, type ReadReply, readReply, shapeOf } from '../../../test/read-reply.ts';
import { eventBoundaries, type RecordedStream, recordedStreams, sseBytesOf } from '../../../test/recorded-streams.ts';
import { createChatReader } from './reader.ts';

const replyOf = (pieces: Iterable<Uint8Array>): Promise<ReadReply> => readReply(createChatReader('provider', 'model'), pieces);

const streams = recordedStreams('openai-chat');

describe.skipIf(streams === null)('recorded chat completions (skipped where ../shared/cases/streams is absent)', () => {
  describe.each(streams ?? [])('$file', (stream) => {
    const bytes = sseBytesOf(stream);

    test('gives what is expected, whole, byte by byte and at random splits', async () => {
      const whole = await replyOf([bytes]);
      expect(shapeOf(whole)).toEqual(expectedShape(comparable(stream)));
      expect(whole.finalEvents).toBe(1);
      expect(await replyOf(piecesOf(bytes, 1))).toEqual(whole);
      const random = randomFrom(bytes.length);
      for (let round = 0; round < 5; round++) expect(await replyOf(randomPieces(bytes, random))).toEqual(whole);
    });

    test('tells reasoning tokens and the error in the words of the provider', async () => {
      const { usage, error } = await replyOf([bytes]);
      const { expected } = stream;
      expect(usage.reasoningTokens).toBe(reasoningTokensOf(stream));
      const words = expected.error?.['message'];
      if (typeof words === 'string') expect(error?.message).toContain(words);
    });

    test('cut at any event it is full or failed, and has no call that the uncut one has not', async () => {
      const whole = await replyOf([bytes]);
      for (const end of eventBoundaries(bytes)) {
        const cut = await replyOf([bytes.subarray(0, end)]);
        expect(cut.finalEvents).toBe(1);
        expect(cut.error?.kind).not.toBe('protocol');
        if (cut.error === null) expect(bodyOf(cut)).toEqual(whole.error === null ? bodyOf(whole) : cutShort(whole));
        expect(cut.started.filter((call) => !whole.started.includes(call))).toEqual([]);
      }
    });
  });

  test('keeps an encrypted detail whole', async () => {
    const stream = streams?.find(({ file }) => file === 'openrouter/gemini-parallel-tools-signature.sse');
    if (stream === undefined) throw new Error('the recording is gone');
    const bytes = sseBytesOf(stream);
    const { message } = await replyOf([bytes]);
    const [, sent] = /"reasoning_details":(\[.*?\])/.exec(bytes.toString('utf8')) ?? [];
    expect(message.content[0]).toMatchObject({ replay: { data: { message: { reasoning_details: JSON.parse(sent ?? '') } } } });
  });
});

/** A message is complete at its finish reason, as some send nothing more; usage may come after it. */
function bodyOf(reply: ReadReply): unknown {
  return { content: reply.message.content, state: reply.message.state, stop: reply.stopReason };
}

/** One recording finishes with `length` and then says why in an error: cut before that, it is a cut message. */
function cutShort(whole: ReadReply): unknown {
  return {
    content: expect.toSatisfy((blocks) => blocks.length <= whole.message.content.length),
    state: 'cut',
    stop: 'max_tokens',
  };
}

// The index leaves these out: they stand in `timings` alone.
const CACHED_BY_TIMINGS: Readonly<Record<string, number>> = { 'llama.cpp/gpt-oss-reasoning-tool.sse': 138 };

/** The index tells the input of calls that were cut, which wield never parses, and leaves out usage where none came. */
function comparable(stream: RecordedStream): RecordedStream {
  const { expected, file } = stream;
  const cached = CACHED_BY_TIMINGS[file] ?? 0;
  const usage = expected.usage ?? { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
  return {
    ...stream,
    expected: {
      ...expected,
      blocks: expected.blocks.map((block) => (block.complete === false ? { ...block, input: null } : block)),
      usage: {
        ...usage,
        input_tokens: usage.input_tokens - cached,
        cache_read_tokens: usage.cache_read_tokens + cached,
      },
    },
  };
}

function reasoningTokensOf({ expected }: RecordedStream): unknown {
  return (expected.usage as Readonly<Record<string, unknown>> | null)?.['reasoning_tokens'] ?? null;
}

/** A generator of numbers below 1 that is the same each time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function randomPieces(bytes: Buffer, random: () => number): Buffer[] {
  const ends = Array.from({ length: 7 }, () => Math.floor(random() * bytes.length)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
