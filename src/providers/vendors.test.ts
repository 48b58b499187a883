import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vendorNamed, VENDORS } from './vendors.ts';

describe('the vendors', () => {
  test('no word means two of them', () => {
    const words = VENDORS.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
    expect(words.filter((word) => !/^[a-z0-9.-]+$/.test(word))).toEqual([]);
    expect(words).not.toContain('demo');
  });

  test('are found by id and other words, in any case', () => {
    expect(['Anthropic', 'gemini', 'llama.cpp', 'kimi', 'nobody', 'constructor'].map((word) => vendorNamed(word)?.id)).toEqual([
      'anthropic',
      'google',
      'llamacpp',
      'moonshot',
      undefined,
      undefined,
    ]);
  });

  test('are asked over https, except on this machine, and without the endpoint in the URL', () => {
    for (const { id, baseUrl, local } of VENDORS) {
      const start = local === undefined ? 'https://' : 'http://127.0.0.1:';
      expect(baseUrl.startsWith(start), `${id}: ${baseUrl}`).toBe(true);
      expect(baseUrl).not.toMatch(/\/(?:messages|completions|responses)?$/);
    }
  });

  test('need a key where they are not on this machine, and then only once for a beginning of names', () => {
    expect(VENDORS.filter(({ local, keyVariables }) => local === undefined && keyVariables.length === 0)).toEqual([]);
    expect(VENDORS.flatMap(({ modelPrefixes }) => modelPrefixes).filter((prefix) => prefix !== prefix.toLowerCase())).toEqual([]);
  });

  test('stand in the order in which their keys are looked for, as documented', () => {
    expect(VENDORS.map(({ id }) => id)).toEqual([
      'anthropic',
      'openai',
      'google',
      'deepseek',
      'qwen',
      'qwen-cn',
      'moonshot',
      'moonshot-cn',
      'zai',
      'zhipu',
      'minimax',
      'mistral',
      'groq',
      'xai',
      'openrouter',
      'together',
      'fireworks',
      'azure',
      'ollama',
      'lmstudio',
      'llamacpp',
      'vllm',
    ]);
  });

  test('carry what their servers insist on (design notes, streaming 4.4 and 7.3)', () => {
    expect(vendorNamed('moonshot')?.quirks).toEqual({ reasoning: 'every_message', emptyReasoning: ' ', callIds: 'kimi' });
    expect(vendorNamed('deepseek')?.quirks).toEqual({ reasoning: 'every_message' });
    expect(vendorNamed('mistral')?.quirks).toMatchObject({ callIds: 'mistral', allowsUserAfterTool: false });
    expect(vendorNamed('azure')?.quirks).toMatchObject({ keyHeader: 'api-key' });
  });

  test('are all in docs/providers.md, with their keys and usual models', () => {
    const rows = readFileSync(join(import.meta.dirname, '../../docs/providers.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| `[^`]+\/`/.test(line));
    expect(rows.map((row) => row.split('`')[1])).toEqual(VENDORS.map(({ id }) => `${id}/`));
    for (const [i, { aliases, name, keyVariables, defaultModel, format }] of VENDORS.entries()) {
      for (const word of [aliases[0] ?? '', name, ...keyVariables, defaultModel ?? '', format]) expect(rows[i]).toContain(word);
    }
  });
});
