import { describe, expect, test } from 'vitest';
import { nameModel, vendorByKey } from './name-model.ts';
import { ownProviders } from './own-providers.ts';

const own = ownProviders([
  {
    origin: 'settings.json',
    scope: 'user',
    settings: {
      providers: {
        mine: { baseUrl: 'http://127.0.0.1:9/v1', format: 'openai-chat', models: { 'house-model': {} } },
        mistral: { baseUrl: 'http://127.0.0.1:8/v1', format: 'openai-chat' },
      },
    },
  },
]);

function named(wanted: string, environment: NodeJS.ProcessEnv = {}): string {
  const found = nameModel(wanted, { environment, own });
  return `${found.type} ${found.type === 'own' ? found.provider.id : found.vendor.id} ${found.model}`;
}

describe('--model', () => {
  test.each([
    ['anthropic/claude-x', 'vendor anthropic claude-x'],
    ['Gemini/gemini-x', 'vendor google gemini-x'],
    ['openrouter/meta-llama/llama-4', 'vendor openrouter meta-llama/llama-4'],
    ['anthropic', 'vendor anthropic claude-opus-5-5'],
    ['anthropic/', 'vendor anthropic claude-opus-5-5'],
    ['ollama', 'vendor ollama null'],
    ['ollama/llama3:8b', 'vendor ollama llama3:8b'],
    ['mine/other', 'own mine other'],
    ['mine', 'own mine house-model'],
    ['house-model', 'own mine house-model'],
    ['mistral/large', 'own mistral large'],
    ['mistral', 'own mistral null'],
  ])('%s is %s', (wanted, expected) => {
    expect(named(wanted)).toBe(expected);
  });

  test.each([
    ['claude-opus-5-5', 'anthropic'],
    ['GPT-6.1-sol', 'openai'],
    ['o3-pro', 'openai'],
    ['gemini-3.8-flash', 'google'],
    ['deepseek-flash', 'deepseek'],
    ['qwen3.8-max', 'qwen'],
    ['kimi-k3', 'moonshot'],
    ['glm-5.3', 'zai'],
    ['MiniMax-M3', 'minimax'],
    ['codestral-latest', 'mistral'],
    ['grok-4.7', 'xai'],
  ])('%s alone belongs to %s', (model, vendor) => {
    expect(named(model)).toBe(`vendor ${vendor} ${model}`);
  });

  test('of two doors to the same models the one with a key is taken', () => {
    expect(named('glm-5.3', { ZHIPU_API_KEY: 'k' })).toBe('vendor zhipu glm-5.3');
    expect(named('glm-5.3', { ZHIPU_API_KEY: 'k', ZAI_API_KEY: 'k' })).toBe('vendor zai glm-5.3');
  });

  test.each([
    ['antropic/claude-x', 'Did you mean anthropic? '],
    ['open/gpt', 'Did you mean openai or openrouter? '],
    ['mein/x', ''],
    ['nobody/nothing', ''],
    ['', ''],
    ['/x', ''],
    ['constructor/x', ''],
  ])('%j means nothing here', (wanted, guess) => {
    expect(() => named(wanted)).toThrow(
      expect.objectContaining({
        code: 'no_model',
        message: `There is no model "${wanted}" here.`,
        remedy: expect.stringMatching(new RegExp(`^${guess.replace('?', String.raw`\?`)}Use --model VENDOR/NAME`)),
      }),
    );
  });
});

describe('by key', () => {
  test('the order is that of the vendors', () => {
    const environment = { XAI_API_KEY: 'x', DEEPSEEK_API_KEY: 'd', GEMINI_API_KEY: 'g' };
    expect(vendorByKey(environment)).toMatchObject({ model: 'gemini-3.8-flash', variable: 'GEMINI_API_KEY' });
    expect(vendorByKey({ ...environment, OPENAI_API_KEY: 'o' })).toMatchObject({ variable: 'OPENAI_API_KEY' });
  });

  test('a vendor without a usual model needs one, and a server on this machine is never chosen', () => {
    expect(vendorByKey({ AZURE_OPENAI_API_KEY: 'a', VLLM_API_KEY: 'v', VLLM_MODEL: 'm' })).toBeNull();
    expect(vendorByKey({ AZURE_OPENAI_API_KEY: 'a', AZURE_MODEL: 'd' })).toMatchObject({ model: 'd' });
    expect(vendorByKey({})).toBeNull();
  });
});
