import { expect, test } from 'vitest';
import { readSse, type SseEvent } from './sse.ts';

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
      { event: null, data: '[DONE]' },
    ],
  ],
  ['nothing', '', []],
])('%s, however the bytes are split', async (_name, text, expected) => {
  for (const size of [1, 2, 3, 7, 1000]) expect(await read(text, size)).toEqual(expected);
});
