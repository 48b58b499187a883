import { expect, test } from 'vitest';
import { UNKNOWN_MODEL } from '../core/model.ts';
import { factsOf, modelsOf } from './model-facts.ts';
import { VENDORS } from './vendors.ts';

test('a model is known by its name, also with the date of a release behind it', () => {
  const haiku = factsOf('anthropic', 'claude-haiku-4-5');
  expect(haiku).toEqual({
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    seesImages: true,
    price: {
      input: 1,
      output: 5,
      cacheRead: 0.1,
      cacheWrite: 1.25,
      source: expect.stringContaining('(unverified)'),
      date: '2026-11-30',
    },
  });
  expect(factsOf('anthropic', 'claude-haiku-4-5-20251001')).toEqual(haiku);
  expect(factsOf('openai', 'gpt-6.1-sol-2026-09-29').contextTokens).toBe(1_050_000);
});

test.each([
  ['anthropic', 'claude-of-tomorrow'],
  ['anthropic', 'claude-haiku-4-5-20'],
  ['openai', 'gpt-6-sol-pro'],
  ['nobody', 'claude-haiku-4-5'],
  ['anthropic', ''],
  ['__proto__', 'constructor'],
])('%s/%s is unknown, which is no error', (vendor, model) => {
  expect(factsOf(vendor, model)).toEqual({ ...UNKNOWN_MODEL, seesImages: null });
});

test('every model belongs to a vendor and has sizes and prices that can be true', () => {
  const models = VENDORS.flatMap(({ id }) => modelsOf(id));
  expect(models).toHaveLength(26);
  for (const { model, contextTokens, maxOutputTokens, price } of models) {
    expect(maxOutputTokens ?? 0, model).toBeLessThanOrEqual(contextTokens ?? Number.POSITIVE_INFINITY);
    if (price === null) continue;
    expect(price.input, model).toBeGreaterThan(0);
    expect(price.output, model).toBeGreaterThan(price.input);
    expect(price.cacheRead, model).toBeLessThanOrEqual(price.input);
    expect(price.cacheWrite, model).toBeGreaterThanOrEqual(price.input);
  }
});

test('the usual model of each vendor that has rows is among them, or is a name that moves on', () => {
  const missing = VENDORS.filter(({ id, defaultModel }) => {
    const models = modelsOf(id).map(({ model }) => model);
    return models.length > 0 && defaultModel !== null && !models.includes(defaultModel);
  });
  expect(missing.map(({ defaultModel }) => defaultModel)).toEqual(['mistral-large-latest']);
});
