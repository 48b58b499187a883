import { expect, test } from 'vitest';
import { startAnthropicServer } from '../../test/loopback/anthropic-server.ts';
import { startChatServer } from '../../test/loopback/chat-server.ts';
import { collectRun, createAgent, createMemoryBackend, createProvider, type Provider } from '../index.ts';

const answerOf = async (provider: Provider): Promise<string> => {
  await using agent = createAgent({ provider, backend: createMemoryBackend() });
  const { text, errors } = await collectRun(agent.run('hello'));
  return `${text}${errors.map(({ code }) => code).join()}`;
};

test('a vendor’s model is asked by its name, with a key and an address that were given', async () => {
  const server = await startAnthropicServer([{ text: 'Hi.' }]);
  const provider = await createProvider('anthropic/claude-opus-5-5', { apiKey: 'k', baseUrl: server.url, environment: {} });
  expect(provider).toMatchObject({ id: 'anthropic', model: 'claude-opus-5-5', seesImages: true });
  expect(await answerOf(provider)).toBe('Hi.');
  expect(server.requests[0]).toMatchObject({ model: 'claude-opus-5-5' });
  await server.close();
});

test('a server of one’s own is asked by its address', async () => {
  const server = await startChatServer([{ text: 'Hi.' }]);
  const provider = await createProvider({
    format: 'openai-chat',
    baseUrl: server.baseUrl,
    model: 'own',
    facts: { contextTokens: 8000 },
  });
  expect(provider).toMatchObject({
    id: 'custom',
    model: 'own',
    facts: { contextTokens: 8000, maxOutputTokens: null, price: null },
  });
  expect(await answerOf(provider)).toBe('Hi.');
  expect(server.requests[0]?.body.model).toBe('own');
  await server.close();
});

test('the demo needs nothing', async () => {
  expect(await createProvider('demo', { environment: {} })).toMatchObject({ id: 'demo', model: 'demo' });
});

test('a name that is none, and a key that is missing, are told with what to do', async () => {
  const environment = {};
  await expect(createProvider('antropic/x', { environment })).rejects.toMatchObject({
    code: 'no_model',
    remedy: expect.stringContaining('Did you mean anthropic?'),
  });
  await expect(createProvider('openai/gpt-5.5', { environment })).rejects.toMatchObject({
    code: 'no_model',
    message: expect.stringContaining('OPENAI_API_KEY is not set'),
  });
});
