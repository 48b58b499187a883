import { expect, test } from 'vitest';
import { BodyTooLargeError, readSse, type SseEvent } from './sse.ts';

async function read(text: string, size: number): Promise<SseEvent[]> {
  const bytes = Buffer.from(text);
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: SseEvent[] = [];
  for await (const batch of readSse(body())) events.push(...batch);
  return events;
}

test.each([
  [
    'events with and without names',
    'event: a\ndata: 1\n\ndata: 2\n\n',
    [
      { event: 'a', data: '1' },
      { event: null, data: '2' },
    ],
  ],
  ['lines that end with CRLF', 'event: a\r\ndata: 1\r\n\r\n', [{ event: 'a', data: '1' }]],
  ['data over several lines', 'data: 1\ndata: 2\n\n', [{ event: null, data: '1\n2' }]],
  ['comments and other fields', ': hi\nid: 7\nretry: 10\ndata: 1\n\n', [{ event: null, data: '1' }]],
  ['characters of several bytes', 'data: 日本 😀\n\n', [{ event: null, data: '日本 😀' }]],
  ['a byte order mark', '\ufeffdata: 1\n\n', [{ event: null, data: '1' }]],
  [
    'a last event without its blank line',
    'data: 1\n\ndata: [DONE]',
    [
      { event: null, data: '1' },
      { event: null, data: '[DONE]', isForced: true },
    ],
  ],
  ['nothing', '', []],
])('%s, however the bytes are split', async (_name, text, expected) => {
  for (const size of [1, 2, 3, 7, 1000]) expect(await read(text, size)).toEqual(expected);
});

test.each([
  ['a line without an end', 'data: x'.padEnd(101, 'x'), 'one event'],
  ['lines without an event', 'data: x\n'.repeat(20), 'one event'],
  ['events without an end', ': x\n\ndata: x\n\n'.repeat(40), 'one answer'],
])('%s is given up at the limit', async (_name, text, place) => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.from(text);
  }
  const read = async (): Promise<void> => {
    for await (const _events of readSse(endless(), { maxEventChars: 100, maxBytes: 1000 }));
  };
  const thrown = await read().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(BodyTooLargeError);
  expect(String(thrown)).toContain(place);
});
