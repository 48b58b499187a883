import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import type { SettingsLayer } from './settings.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

let server: Server;
let url: string;
let asked: Asked[];
/** What the server lists as its models. */
let listed: readonly string[];
beforeEach(async () => {
  asked = [];
  listed = [];
  server = createServer((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ models: listed.map((name) => ({ name })) }));
    asked.push({ path: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => response.writeHead(400).end('{"error":{"message":"seen"}}'));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Asks a chosen model something, and gives the request as the server saw it. */
async function ask({ provider, model }: ChosenModel): Promise<Asked> {
  const { signal } = new AbortController();
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] as const;
  const request = { model, system: 's', messages, tools: [], maxOutputTokens: 10, signal };
  const events: unknown[] = [];
  for await (const event of provider.stream(request)) events.push(event);
  expect(events).toMatchObject([{ type: 'message_failed', error: { message: 'seen' } }]);
  return asked[0] ?? expect.fail('nothing was asked');
}

const user = (providers: unknown): readonly SettingsLayer[] => [
  { origin: 'settings.json', scope: 'user', settings: { providers } },
];

describe('where nothing is asked for', () => {
  test('the demo answers without a key', async () => {
    const chosen = await chooseModel(null, {});
    expect(chosen).toMatchObject({ isDemo: true, model: 'demo', because: 'no key was found; wield models lists the variables' });
    expect(await chooseModel('demo', { ANTHROPIC_API_KEY: 'k' })).toMatchObject({ isDemo: true, because: 'it was asked for' });
  });

  test('the first key chooses, with what is known of the model', async () => {
    const chosen = await chooseModel(null, { ANTHROPIC_API_KEY: 'k' });
    expect(chosen).toMatchObject({
      isDemo: false,
      model: 'claude-opus-5-5',
      because: 'ANTHROPIC_API_KEY is set',
      facts: { contextTokens: 1_000_000, maxOutputTokens: 128_000, price: { input: 4, output: 20 } },
    });
    expect(chosen.provider).toMatchObject({ id: 'anthropic', seesImages: true });
    expect(await chooseModel(null, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_MODEL: 'new' })).toMatchObject({
      model: 'new',
      facts: { contextTokens: null, price: null },
    });
  });
});

describe('each wire format is asked at its place with its key', () => {
  test.each([
    ['anthropic/m', { ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_BASE_URL', '', '/v1/messages', { 'x-api-key': 'k' }],
    ['anthropic/m', { ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_BASE_URL', '/v1/', '/v1/messages', { 'x-api-key': 'k' }],
    [
      'google/m',
      { GEMINI_API_KEY: 'k' },
      'GEMINI_BASE_URL',
      '',
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      { 'x-goog-api-key': 'k' },
    ],
    [
      'google/m',
      { GEMINI_API_KEY: 'k' },
      'GOOGLE_BASE_URL',
      '/v1',
      '/v1/models/m:streamGenerateContent?alt=sse',
      { 'x-goog-api-key': 'k' },
    ],
    ['openai/m', { OPENAI_API_KEY: 'k' }, 'OPENAI_BASE_URL', '/v1', '/v1/chat/completions', { authorization: 'Bearer k' }],
    [
      'xai/m',
      { XAI_API_KEY: 'k' },
      'XAI_BASE_URL',
      '/v1/chat/completions',
      '/v1/chat/completions',
      { authorization: 'Bearer k' },
    ],
    [
      'azure/m',
      { AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_API_VERSION: 'v9' },
      'AZURE_BASE_URL',
      '/x',
      '/x/chat/completions?api-version=v9',
      { 'api-key': 'k' },
    ],
    ['minimax/m', { MINIMAX_API_KEY: 'k' }, 'MINIMAX_BASE_URL', '/anthropic', '/anthropic/v1/messages', { 'x-api-key': 'k' }],
  ])('%s with %j', async (wanted, keys, variable, path, expectedPath, headers) => {
    const chosen = await chooseModel(wanted, { ...keys, [variable]: url + path });
    expect(chosen).toMatchObject({ model: 'm', because: 'it was asked for' });
    expect(chosen.provider.id).toBe(wanted.split('/')[0]);
    expect(await ask(chosen)).toMatchObject({ path: expectedPath, headers });
  });

  test('OpenAI itself is spoken to in its own newest format, and a server elsewhere has prices of its own', async () => {
    expect((await chooseModel('gpt-6.1-sol', { OPENAI_API_KEY: 'k' })).provider.marksCallEnd).toBe(true);
    const elsewhere = await chooseModel('gpt-6.1-sol', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` });
    expect(elsewhere.provider.marksCallEnd).toBe(false);
    expect(elsewhere.facts).toMatchObject({ contextTokens: 1_050_000, price: null });
  });
});

describe('a key that is missing', () => {
  test.each([
    [
      'openai/gpt-x',
      'openai/gpt-x needs a key, and OPENAI_API_KEY is not set.',
      /^Set OPENAI_API_KEY, or use --model demo\. See https:/,
    ],
    [
      'gemini-x',
      'google/gemini-x needs a key, and GEMINI_API_KEY or GOOGLE_API_KEY is not set.',
      /^Set GEMINI_API_KEY or GOOGLE_API_KEY,/,
    ],
    ['mine/x', 'mine/x needs a key, and MY_KEY is not set.', /^Set MY_KEY, or use --model demo\.$/],
  ])('for %s is told with its variable', async (wanted, message, remedy) => {
    const layers = user({ mine: { baseUrl: url, format: 'gemini', apiKeyEnv: 'MY_KEY' } });
    await expect(chooseModel(wanted, { ANTHROPIC_API_KEY: 'other' }, layers)).rejects.toMatchObject({
      code: 'no_model',
      message,
      remedy: expect.stringMatching(remedy),
    });
  });

  test('is none where the vendor was moved to this machine', async () => {
    const { headers } = await ask(await chooseModel('xai/m', { XAI_BASE_URL: `${url}/v1` }));
    expect(headers.authorization).toBeUndefined();
  });
});

describe("the user's own provider", () => {
  test('is asked with its headers and key, and knows what the settings say', async () => {
    const models = { big: { contextTokens: 1000, maxOutputTokens: 10, seesImages: true } };
    const entry = { baseUrl: `${url}/v1`, format: 'openai-chat', apiKeyEnv: 'MY_KEY', headers: { 'x-team': 'a' }, models };
    const chosen = await chooseModel('mine/big', { MY_KEY: 'k' }, user({ mine: entry }));
    expect(chosen).toMatchObject({
      model: 'big',
      facts: { contextTokens: 1000, maxOutputTokens: 10, price: null },
    });
    expect(chosen.provider).toMatchObject({ id: 'mine', seesImages: true });
    expect(await ask(chosen)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k', 'x-team': 'a' },
    });
  });

  test.each([
    ['openai-responses', '/responses'],
    ['anthropic-messages', '/v1/messages'],
    ['gemini', '/v1beta/models/m:streamGenerateContent?alt=sse'],
  ])('speaks %s without a key', async (format, path) => {
    const { headers, path: seen } = await ask(await chooseModel('mine/m', {}, user({ mine: { baseUrl: url, format } })));
    expect(seen).toBe(path);
    expect([headers.authorization, headers['x-api-key'], headers['x-goog-api-key'] ?? '']).toEqual([undefined, undefined, '']);
  });

  test('whose models have no tool interface is told of the tools in words', async () => {
    const entry = { baseUrl: url, format: 'anthropic-messages' };
    expect((await chooseModel('mine/m', {}, user({ mine: entry }))).provider.marksCallEnd).toBe(true);
    const { provider } = await chooseModel('mine/m', {}, user({ mine: { ...entry, promptTools: true } }));
    expect(provider).toMatchObject({ id: 'mine', marksCallEnd: false });
  });

  test('without a model is asked for one', async () => {
    const layers = user({ mine: { baseUrl: url, format: 'gemini', models: { a: {}, b: {} } } });
    await expect(chooseModel('mine', {}, layers)).rejects.toMatchObject({
      code: 'no_model',
      message: 'Which model of mine? It has no usual one.',
      remedy: 'Use --model mine/NAME. It has: a, b',
    });
  });
});

describe('a server on this machine', () => {
  test('needs no key, and its one model need not be named', async () => {
    const environment = { OLLAMA_BASE_URL: `${url}/v1` };
    listed = ['llama3:8b'];
    expect(await chooseModel('ollama', environment)).toMatchObject({ model: 'llama3:8b', isDemo: false });
    const { path, headers } = await ask(await chooseModel('ollama/other', environment));
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', undefined]);
  });

  test('with several models asks for one by name', async () => {
    listed = ['a:1', 'b\u001b[2J'];
    await expect(chooseModel('ollama', { OLLAMA_BASE_URL: `${url}/v1` })).rejects.toMatchObject({
      code: 'no_model',
      remedy: String.raw`Use --model ollama/NAME. It has: a:1, b\x1b[2J`,
    });
  });

  test.each(['ollama/m', 'ollama'])('that does not run is told with how to start it: %s', async (wanted) => {
    await new Promise((resolve) => server.close(resolve));
    await expect(chooseModel(wanted, { OLLAMA_BASE_URL: `${url}/v1` })).rejects.toMatchObject({
      code: 'model_unreachable',
      message: `Ollama does not run: nothing listens at ${new URL(url).host}.`,
      remedy: 'Start it with: ollama serve (wield models shows the servers that answer)',
    });
  });
});
