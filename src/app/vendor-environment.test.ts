import { describe, expect, test } from 'vitest';
import { type Vendor, vendorNamed } from '../providers/vendors.ts';
import { checkedUrl, keyOf, ownVariables, placeOf, usualModel } from './vendor-environment.ts';

const vendor = (id: string): Vendor => vendorNamed(id) ?? expect.fail(`no vendor ${id}`);

describe('of a vendor the environment says', () => {
  test('the key: the first variable that holds one, where blanks are none', () => {
    expect(keyOf(vendor('google'), {})).toBeNull();
    expect(keyOf(vendor('google'), { GEMINI_API_KEY: ' \n', GOOGLE_API_KEY: 'g' })).toEqual({
      variable: 'GOOGLE_API_KEY',
      value: 'g',
    });
    expect(keyOf(vendor('google'), { GEMINI_API_KEY: 'first\n', GOOGLE_API_KEY: 'g' })?.value).toBe('first');
  });

  test('the model, else the usual one holds', () => {
    expect(usualModel(vendor('anthropic'), {})).toBe('claude-opus-5-5');
    expect(usualModel(vendor('anthropic'), { ANTHROPIC_MODEL: 'other' })).toBe('other');
    expect(usualModel(vendor('azure'), {})).toBeNull();
    expect(usualModel(vendor('azure'), { AZURE_MODEL: 'my-deployment' })).toBe('my-deployment');
  });

  test('the variables are made of the id and of other words for it', () => {
    expect(ownVariables(vendor('qwen-cn'), 'BASE_URL')).toEqual(['QWEN_CN_BASE_URL']);
    expect(ownVariables(vendor('google'), 'BASE_URL')).toEqual(['GOOGLE_BASE_URL', 'GEMINI_BASE_URL']);
    expect(ownVariables(vendor('llamacpp'), 'MODEL')).toEqual(['LLAMACPP_MODEL', 'LLAMA_CPP_MODEL', 'LLAMA_CPP_MODEL']);
  });

  test('the base URL, and whether it leads to the vendor', () => {
    const place = (OPENAI_BASE_URL?: string) => placeOf(vendor('openai'), 'm', { OPENAI_BASE_URL });
    expect(place()).toEqual({ baseUrl: 'https://api.openai.com/v1', query: {}, isElsewhere: false });
    expect(place('')).toEqual(place());
    expect(place('https://eu.api.openai.com/v1')).toMatchObject({ isElsewhere: false });
    expect(place('http://127.0.0.1:4000/v1')).toEqual({ baseUrl: 'http://127.0.0.1:4000/v1', query: {}, isElsewhere: true });
    expect(() => place('localhost:4000')).toThrow(
      expect.objectContaining({ code: 'misuse', message: 'OPENAI_BASE_URL is no URL: localhost:4000' }),
    );
  });

  test('where a deployment of Azure is', () => {
    const place = (environment: NodeJS.ProcessEnv) => placeOf(vendor('azure'), 'my gpt', environment);
    expect(() => place({})).toThrow(
      expect.objectContaining({ code: 'no_model', message: 'Azure OpenAI needs AZURE_OPENAI_RESOURCE, and it is not set.' }),
    );
    const AZURE_OPENAI_RESOURCE = 'mine';
    expect(place({ AZURE_OPENAI_RESOURCE })).toEqual({
      baseUrl: 'https://mine.openai.azure.com/openai/v1',
      query: {},
      isElsewhere: false,
    });
    expect(place({ AZURE_OPENAI_RESOURCE, AZURE_OPENAI_API_VERSION: 'preview' })).toMatchObject({
      baseUrl: 'https://mine.openai.azure.com/openai/v1',
      query: { 'api-version': 'preview' },
    });
    expect(place({ AZURE_OPENAI_RESOURCE, AZURE_OPENAI_API_VERSION: '2024-10-21' })).toMatchObject({
      baseUrl: 'https://mine.openai.azure.com/openai/deployments/my%20gpt',
      query: { 'api-version': '2024-10-21' },
    });
    expect(place({ AZURE_OPENAI_RESOURCE: 'evil.example/x' }).baseUrl).toBe(
      'https://evil.example%2Fx.openai.azure.com/openai/v1',
    );
  });
});

test.each(['', 'ftp://x', 'file:///etc/passwd', 'javascript:1'])('%j is no base URL', (url) => {
  expect(() => checkedUrl(url, 'X')).toThrow(expect.objectContaining({ code: 'misuse' }));
});
