import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MessageLines } from './message-lines.ts';

interface Read {
  readonly messages: readonly object[];
  readonly faults: readonly string[];
}

async function read(pieces: readonly (string | Buffer)[]): Promise<Read> {
  const messages: object[] = [];
  const faults: string[] = [];
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  new MessageLines({ onMessage: (message) => messages.push(message), onFault: (fault) => faults.push(fault) }).read(stream);
  await new Promise((resolve) => stream.once('end', resolve));
  await sleep(300);
  return { messages, faults };
}

test('a message comes whole however its bytes are cut, and what is no message is left out', async () => {
  const bytes = Buffer.from('hello\n[1]\n{"id":1,"text":"über"}\r\n{"id":2}\n{"id":3}');
  for (const size of [1, 7, bytes.length]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect(await read(pieces)).toEqual({ messages: [{ id: 1, text: 'über' }, { id: 2 }], faults: [] });
  }
});

test('brackets in strings are no depth, and others end it', async () => {
  expect((await read([`{"id":1,"text":"${'['.repeat(500)}\\\\"}\n`])).messages).toHaveLength(1);
  expect(await read([`{"id":1,"text":${'['.repeat(500)}\n{"id":2}\n`])).toEqual({
    messages: [],
    faults: ['it sent a message nested more than 200 deep'],
  });
});

test('of a flood of notifications the first and the last are passed on, and no answer is lost in it', async () => {
  const note = (at: number): string => `{"method":"changed","at":${at}}\n`;
  const flood = Array.from({ length: 5000 }, (_, at) => note(at)).join('');
  const { messages } = await read([`${flood}{"id":1}\n${note(5000)}`]);
  expect(messages).toHaveLength(52);
  expect(messages.slice(-2)).toEqual([{ id: 1 }, { method: 'changed', at: 5000 }]);
});
