import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAnthropicServer } from '../../test/loopback/anthropic-server.ts';
import { startChatServer } from '../../test/loopback/chat-server.ts';
import { startGeminiServer } from '../../test/loopback/gemini-server.ts';
import { sendEvents, startLoopback } from '../../test/loopback/http-frame.ts';
import { startResponsesServer } from '../../test/loopback/responses-server.ts';
import { type Endpoint, openProvider } from '../app/open-provider.ts';
import type { ModelEvent, ModelRequest, Provider } from '../core/model.ts';
import type { Message } from '../core/message.ts';
import { placesOf } from '../core/steady-text.ts';
import { createOpenAIChatProvider } from './chat/provider.ts';
import { readCassette } from './cassette.ts';
import { replayingProvider } from './cassette-player.ts';
import { recordingProvider } from './cassette-recorder.ts';
import { createScriptedProvider } from './scripted.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-cassette-'));
  path = join(folder, 'c.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'sk-live-0123456789abcdef';
const PLACES = placesOf({ cwd: '/work/one', home: '/home/ann', temp: '/tmp' });

function asked(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text }] }];
  const signal = new AbortController().signal;
  return { model: 'm', system: 's', messages, tools: [], maxOutputTokens: 100, signal, ...more };
}

async function eventsOf(provider: Provider, request: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request)) events.push(event);
  return events;
}

function endpointAt(format: Endpoint['format'], baseUrl: string): Endpoint {
  return { id: 'loopback', format, baseUrl, apiKey: KEY, headers: {}, quirks: {}, seesImages: null, promptTools: false };
}

function withoutKey(endpoint: Endpoint): Record<string, unknown> {
  return { ...endpoint, apiKey: null };
}

async function recorder(endpoint: Endpoint, secrets: readonly string[] = []): Promise<Provider> {
  const provider = await openProvider(endpoint);
  return recordingProvider(provider, { path, model: 'm', endpoint: withoutKey(endpoint), places: PLACES, secrets });
}

async function player(endpoint: Endpoint, speed: number | null = null): Promise<Provider> {
  const reader = await openProvider({ ...endpoint, apiKey: null });
  return replayingProvider(readCassette(path), { places: PLACES, secrets: [], speed, reader });
}

const REPLY = { text: 'Ich grüße dich, 世界.', calls: [{ name: 'Glob', input: { pattern: '*.ts' } }] };

/** Servers of each wire format that give the same reply, and what may go wrong with one. */
const FORMATS = [
  { format: 'anthropic-messages', start: async (reply: object) => startAnthropicServer([reply, reply, reply, reply, reply]) },
  { format: 'openai-chat', start: async (reply: object) => startChatServer([reply, reply, reply, reply, reply]) },
  { format: 'openai-responses', start: async (reply: object) => startResponsesServer([reply, reply, reply, reply, reply]) },
  { format: 'gemini', start: async (reply: object) => startGeminiServer([reply, reply, reply, reply, reply]) },
] as const;

describe.each(FORMATS)('a cassette of $format', ({ format, start }) => {
  test.each([
    ['a whole answer', REPLY],
    ['a stream that breaks', { ...REPLY, dropAfter: 3 }],
    ['a refusal', { status: 400, error: { type: 'invalid_request_error', message: 'no such thing' } }],
  ])('gives %s again without the server, event by event', async (_name, reply) => {
    const server = await start(reply);
    const endpoint = endpointAt(format, 'baseUrl' in server ? server.baseUrl : server.url);
    const live = await eventsOf(await recorder(endpoint), asked('hi'));
    await server.close();
    expect(await eventsOf(await player(endpoint), asked('hi'))).toEqual(live);
    expect(live.at(-1)?.type).toBe('status' in reply || 'dropAfter' in reply ? 'message_failed' : 'message_end');
  });
});

test('a rate limit is met again with its retries, and nobody waits for them', async () => {
  let posts = 0;
  const server = await startLoopback(async (_request, response) => {
    if (++posts === 1) {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '60' });
      response.end('{"error":{"message":"slow down"}}');
      return;
    }
    await sendEvents(response, { events: ['{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}', '[DONE]'] });
  });
  const endpoint = endpointAt('openai-chat', server.url);
  const waits: string[] = [];
  const request = asked('hi', { onRetryWait: ({ cause }) => waits.push(cause) });
  const live = await eventsOf(await recorder(endpoint), request);
  await server.close();
  expect(await eventsOf(await player(endpoint), request)).toEqual(live);
  expect([posts, waits]).toEqual([2, ['slow down', 'slow down']]);
});

test('a server that is not there is not there again', async () => {
  const retry = { retries: 0, baseDelayMs: 1, maxDelayMs: 1 };
  const provider = createOpenAIChatProvider({ id: 'loopback', baseUrl: 'http://127.0.0.1:1', apiKey: null, retry });
  const endpoint = withoutKey(endpointAt('openai-chat', 'http://127.0.0.1:1'));
  const options = { path, model: 'm', endpoint, places: PLACES, secrets: [] };
  const live = await eventsOf(recordingProvider(provider, options), asked('hi'));
  expect(live.at(-1)).toMatchObject({ error: { kind: 'unreachable', message: expect.stringContaining('nothing listens') } });
  const replaying = replayingProvider(readCassette(path), { places: PLACES, secrets: [], speed: null, reader: provider });
  expect(await eventsOf(replaying, asked('hi'))).toEqual(live);
});

test('no key of headers, query, environment or answer is in the file, wherever chunks cut it, and the file is for its owner alone', async () => {
  const server = await startLoopback(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': `session=${KEY}`, 'x-echo': KEY });
    response.write(`data: {"choices":[{"delta":{"content":"key ${KEY.slice(0, 9)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    response.write(`${KEY.slice(9)} env-secret-value"}}]}\n\n`);
    response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  const endpoint = { ...endpointAt('openai-chat', server.url), quirks: { query: { 'api-key': 'query-secret-1' } } };
  await eventsOf(await recorder(endpoint, ['env-secret-value']), asked('my key is env-secret-value'));
  await server.close();
  const text = readFileSync(path, 'utf8');
  for (const secret of [KEY, 'env-secret-value']) expect(text).not.toContain(secret);
  expect(text).toContain('key [key] [key]');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a key that a model says piece by piece is masked too', async () => {
  const pieces = ['sk-live-', '01234567', '89abcdef', '.'];
  const server = await startLoopback(async (_request, response) =>
    sendEvents(response, {
      events: [
        ...pieces.map((content) => JSON.stringify({ choices: [{ delta: { content } }] })),
        '{"choices":[{"delta":{},"finish_reason":"stop"}]}',
        '[DONE]',
      ],
    }),
  );
  const endpoint = endpointAt('openai-chat', server.url);
  await eventsOf(await recorder(endpoint), asked('hi'));
  await server.close();
  expect(readFileSync(path, 'utf8')).not.toContain('01234567');
  const replayed = await eventsOf(await player(endpoint), asked('hi'));
  expect(replayed).toContainEqual({ type: 'text_delta', index: 0, text: '[key].' });
});

describe('a request that was not recorded', () => {
  beforeEach(async () => {
    const scripted = createScriptedProvider([{ text: 'one' }, { text: 'two' }]);
    const recording = recordingProvider(scripted, { path, model: 'm', endpoint: null, places: PLACES, secrets: [] });
    await eventsOf(recording, asked('the first\nprompt is long'));
    await eventsOf(recording, asked('another'));
  });

  const replayed = async (request: ModelRequest): Promise<unknown> => {
    const provider = replayingProvider(readCassette(path), { places: PLACES, secrets: [], speed: null, reader: null });
    return (await eventsOf(provider, request)).at(-1);
  };

  test('names the nearest one, the field, and both texts', async () => {
    expect(await replayed(asked('the first\nprompt is short'))).toEqual({
      type: 'message_failed',
      error: {
        kind: 'not_recorded',
        message: `${path} has no answer to this request. The nearest recorded one is request 1 of 2 (line 4). They differ in message 1 (user), content/0/text: in line 2 recorded was "prompt is long", now it is "prompt is short"`,
        status: null,
      },
      retryable: false,
    });
  });

  test('names a tool that is offered now only, and another model', async () => {
    const tools = [
      {
        name: 'Glob',
        description: 'd',
        inputSchema: { type: 'object' },
        category: 'search',
        isReadOnly: true,
        isDestructive: false,
      },
    ] as const;
    expect(await replayed(asked('another', { tools }))).toMatchObject({
      error: { message: expect.stringContaining('They differ in the tools: offered now only: Glob.') },
    });
    expect(await replayed(asked('another', { model: 'n' }))).toMatchObject({
      error: { message: expect.stringContaining('They differ in the model: recorded was "m", now it is "n"') },
    });
  });

  test('is also one that was asked more often than it was recorded', async () => {
    const provider = replayingProvider(readCassette(path), { places: PLACES, secrets: [], speed: null, reader: null });
    expect((await eventsOf(provider, asked('another'))).at(-1)).toMatchObject({ type: 'message_end' });
    expect((await eventsOf(provider, asked('another'))).at(-1)).toMatchObject({
      error: { kind: 'not_recorded', message: expect.stringContaining('asked once more') },
    });
  });
});

test('another folder, home and day are the same request, and calls name the folder of now', async () => {
  const input = { path: '/work/one/src/a.ts', content: 'of /work/one-more' };
  const scripted = createScriptedProvider([{ text: 'see /work/one/src', calls: [{ name: 'WriteFile', input }] }]);
  const recording = recordingProvider(scripted, { path, model: 'm', endpoint: null, places: PLACES, secrets: [] });
  const then = 'in /work/one at 2026-11-30T10:00:00Z, took 12 ms, home /home/ann/x';
  await eventsOf(recording, asked(then, { system: 'Working directory: /work/one' }));
  const places = placesOf({ cwd: '/ci/two', home: '/root', temp: '/var/tmp' });
  const provider = replayingProvider(readCassette(path), { places, secrets: [], speed: null, reader: null });
  const events = await eventsOf(provider, asked('in /ci/two at 2027-01-01T00:00:01Z, took 9.5 s, home /root/x'));
  expect(events.find(({ type }) => type === 'tool_use')).toMatchObject({
    input: { path: '/ci/two/src/a.ts', content: 'of /work/one-more' },
  });
  expect(events.find(({ type }) => type === 'text_delta')).toMatchObject({ text: 'see /ci/two/src' });
});

test('a cassette grows by runs and survives a last line that was cut off; another file is not touched', async () => {
  const record = async (text: string): Promise<void> => {
    const options = { path, model: 'm', endpoint: null, places: PLACES, secrets: [] };
    await eventsOf(recordingProvider(createScriptedProvider([{ text: `re: ${text}` }]), options), asked(text));
  };
  await record('a');
  await record('b');
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"requ`);
  const provider = replayingProvider(readCassette(path), { places: PLACES, secrets: [], speed: null, reader: null });
  for (const text of ['b', 'a'])
    expect(await eventsOf(provider, asked(text))).toContainEqual({ type: 'text_delta', index: 0, text: `re: ${text}` });

  writeFileSync(path, 'my notes\n');
  await expect(record('c')).rejects.toMatchObject({ code: 'cassette_unusable' });
  expect(readFileSync(path, 'utf8')).toBe('my notes\n');
  expect(() => readCassette(join(folder, 'none'))).toThrow(/there is no such file/);
  writeFileSync(path, '{"type":"cassette","version":2}\n');
  expect(() => readCassette(path)).toThrow(/it is of version 2/);
});

/** What each of these says or is called would give a key away, if it were kept as it came. */
const SPOKEN = 'pa"ss\\word-0123456789"xx';

test.each([
  [
    'in two blocks whose pieces alternate',
    [
      [0, SPOKEN.slice(0, 6)],
      [1, 'a'],
      [0, SPOKEN.slice(6, 14)],
      [1, 'b'],
      [0, SPOKEN.slice(14)],
    ],
  ],
  [
    'half in one block and half in the next',
    [
      [0, `so ${SPOKEN.slice(0, 12)}`],
      [1, `${SPOKEN.slice(12)} it is`],
    ],
  ],
  ['with quotes and a backslash', [[0, `so ${SPOKEN} it is`]]],
] as const)('a key is not kept where a model says it %s', async (_name, pieces) => {
  const provider: Provider = {
    ...createScriptedProvider([]),
    stream: async function* () {
      yield { type: 'message_start', model: 'm' };
      for (const [index, text] of pieces) yield { type: 'text_delta', index, text };
    },
  };
  const options = { path, model: 'm', endpoint: null, places: PLACES, secrets: [SPOKEN] };
  await eventsOf(recordingProvider(provider, options), asked('hi'));
  const said = readCassette(path).requests.flatMap(({ events }) => events.map(({ event }) => event));
  const texts = said.flatMap((event) => (event.type === 'text_delta' ? [event.text] : []));
  for (const part of [SPOKEN.slice(0, 6), SPOKEN.slice(6, 12), SPOKEN.slice(14)]) expect(texts.join('')).not.toContain(part);
  expect(texts.join('')).toContain('[key]');
});

test('a key is not kept as the name of a field, nor escaped in bytes, nor in bytes that are packed', async () => {
  const packed = await startLoopback(async (_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ error: { message: `no such key ${KEY}` } })));
  });
  const call = { type: 'tool_use', id: 'c', wireId: null, name: 'Glob', input: { [SPOKEN]: 1 } } as const;
  const spoken: Message = { role: 'assistant', content: [call], state: 'complete', provider: 'p', model: 'm' };
  const live = await recorder(endpointAt('openai-chat', packed.url), [SPOKEN]);
  await eventsOf(live, asked('hi'));
  await packed.close();
  const plain = await startChatServer([{ text: `it is ${SPOKEN}` }]);
  await eventsOf(await recorder(endpointAt('openai-chat', plain.baseUrl), [SPOKEN]), { ...asked('again'), messages: [spoken] });
  await plain.close();
  const text = readFileSync(path, 'utf8');
  const escaped = JSON.stringify(SPOKEN).slice(1, -1);
  for (const form of [SPOKEN, escaped, JSON.stringify(escaped).slice(1, -1)]) expect(text).not.toContain(form);
  expect(readCassette(path).requests[0]?.posts.map(({ chunks }) => chunks)).toEqual([[]]);
  expect(text).not.toContain(KEY);
});
