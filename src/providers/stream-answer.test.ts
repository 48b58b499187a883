import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelEvent, ModelRequest, Provider } from '../core/model.ts';
import { createOpenAIChatProvider } from './chat/provider.ts';
import { createGeminiProvider } from './gemini/provider.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answer: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const retry = { retries: 1, baseDelayMs: 1, maxDelayMs: 1000 };
const apiKey = 'sk-0123456789abcdef';
const chat = (baseUrl: string): Provider => createOpenAIChatProvider({ id: 'chat', baseUrl, apiKey, retry });
const gemini = (baseUrl: string): Provider => createGeminiProvider({ id: 'gemini', baseUrl, apiKey, retry });

async function eventsOf(provider: Provider, more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] as const;
  const request = { model: 'm', system: 's', messages, tools: [], maxOutputTokens: 9, signal: new AbortController().signal };
  const events: ModelEvent[] = [];
  for await (const event of provider.stream({ ...request, ...more })) events.push(event);
  return events;
}

const sse = (...events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** Sends its events and then neither a word nor the end. */
const holding =
  (...events: readonly object[]): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse(...events));

describe('an answer that said all is over though its connection stays open', () => {
  test('in the words of Gemini', async () => {
    const last = { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] };
    const late = { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } };
    const events = await eventsOf(gemini(await serve(holding(last, late))));
    expect(events.at(-1)).toMatchObject({ type: 'message_end', state: 'complete', usage: { inputTokens: 5, outputTokens: 1 } });
  });

  test('in chat completions without [DONE]', async () => {
    const last = { choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] };
    const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } };
    const events = await eventsOf(chat(await serve(holding(last, usage))));
    expect(events.at(-1)).toMatchObject({ type: 'message_end', state: 'complete', usage: { inputTokens: 5, outputTokens: 1 } });
  });
});

describe('a key that a server repeats', () => {
  const words = `Bad key ${apiKey}.`;

  test('is masked in an error and in the causes of waits', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(503).end(JSON.stringify({ error: { message: words } }));
    });
    const causes: string[] = [];
    const events = await eventsOf(chat(url), { onRetryWait: ({ cause }) => causes.push(cause) });
    expect(events.at(-1)).toMatchObject({ type: 'message_failed', error: { message: 'Bad key [key].' } });
    expect(causes).toEqual(['Bad key [key].']);
  });

  test('is masked in an error inside a stream', async () => {
    const url = await serve((_request, response) => void response.writeHead(200).end(sse({ error: { message: words } })));
    for (const provider of [chat(url), gemini(url)])
      expect((await eventsOf(provider)).at(-1)).toMatchObject({ type: 'message_failed', error: { message: 'Bad key [key].' } });
  });
});
