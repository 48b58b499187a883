import { describe, expect, test } from 'vitest';
import { readReply } from '../../test/read-reply.ts';
import { BodyTooLargeError } from '../host/http/sse.ts';
import { createAnthropicReader } from './anthropic/reader.ts';
import { createChatReader } from './chat/reader.ts';
import { createGeminiReader } from './gemini/reader.ts';
import { createResponsesReader } from './responses/reader.ts';
import type { WireReader } from './wire-reader.ts';

const FORMATS: readonly (readonly [string, () => WireReader])[] = [
  ['anthropic-messages', () => createAnthropicReader('p', 'm')],
  ['openai-chat', () => createChatReader('p', 'm')],
  ['openai-responses', () => createResponsesReader('p', 'm')],
  ['gemini', () => createGeminiReader('p', 'm')],
];

describe.each(FORMATS)('%s', (_format, create) => {
  test.each(['data: {"type":"mess', 'data: {', 'data: ', 'event: x\ndata: {"a":1,', 'data: [DON', 'data: {"a":\n'])(
    'a body that ends inside an event is incomplete, and is asked again: %j',
    async (half) => {
      const reply = await readReply(create(), [Buffer.from(half)]);
      expect(reply).toMatchObject({ error: { kind: 'incomplete' }, isRetryable: true, finalEvents: 1 });
    },
  );

  test('a whole event that is no JSON breaks the protocol', async () => {
    const reply = await readReply(create(), [Buffer.from('data: {"type":"mess\n\n')]);
    expect(reply).toMatchObject({ error: { kind: 'protocol' }, isRetryable: false });
  });

  test('a full context is told by its words', async () => {
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' };
    const reply = await readReply(create(), [Buffer.from(`data: ${JSON.stringify({ type: 'error', error })}\n\n`)]);
    expect(reply).toMatchObject({ error: { kind: 'context_overflow' }, isRetryable: false });
  });

  test('only the connection is told to have broken', () => {
    const lost = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const failures = [lost, new BodyTooLargeError('more than 64 MB in one event'), new RangeError('Invalid string length')].map(
      (thrown) => create().broken(thrown, false)[0],
    );
    expect(failures).toMatchObject([
      { error: { kind: 'incomplete', message: 'The connection broke in mid-answer: aborted.' }, retryable: true },
      { error: { kind: 'protocol', message: 'The server sent more than 64 MB in one event.' }, retryable: false },
      { error: { kind: 'protocol', message: 'The answer could not be read: Invalid string length.' }, retryable: false },
    ]);
  });
});
