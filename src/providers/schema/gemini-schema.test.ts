import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json-value.ts';
import { geminiFaults } from '../gemini/check.ts';
import { geminiSchema } from './gemini-schema.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}): JsonObject => ({ type: 'object', properties, ...more });

/** What becomes of one property, in a declaration that the checker takes. */
function loweredOf(property: object, more: object = {}): unknown {
  const lowered = geminiSchema(object({ it: property }, more));
  if ('problem' in lowered) return lowered;
  const functionDeclarations = [{ name: 'Look', parameters: lowered.schema }];
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  expect(geminiFaults({ contents, tools: [{ functionDeclarations }] })).toEqual([]);
  return (lowered.schema['properties'] as JsonObject)['it'];
}

describe('a schema for Gemini', () => {
  test.each<[string, object, object]>([
    ['const becomes an enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a const that is no text is told in words', { const: 7 }, { type: 'number', description: 'One of: 7.' }],
    [
      'numbers to choose from are told in words',
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'One of: 1, 2.' },
    ],
    ['texts to choose from stay', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'an empty text to choose from is told in words',
      { type: 'string', enum: ['', 'a'] },
      { ...text, description: 'One of: "", "a".' },
    ],
    ['oneOf becomes anyOf', { oneOf: [text, { type: 'integer' }] }, { anyOf: [text, { type: 'integer' }] }],
    ['a union of one is that one', { anyOf: [text], description: 'd' }, { ...text, description: 'd' }],
    [
      'nothing but a description stands beside anyOf',
      { anyOf: [text, { type: 'null' }], description: 'd', default: 'x', title: 'T' },
      { anyOf: [text, { type: 'null' }], description: 'd' },
    ],
    [
      'a type beside a union goes into it',
      { type: 'string', anyOf: [{ enum: ['a'] }, { pattern: 'b' }] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', pattern: 'b' },
        ],
      },
    ],
    [
      'several types become a union',
      { type: ['array', 'null'], items: text, description: 'd' },
      { anyOf: [{ type: 'array', items: text }, { type: 'null' }], description: 'd' },
    ],
    [
      'each type of several keeps its own words',
      { type: ['string', 'integer'], minLength: 1, minimum: 2 },
      {
        anyOf: [
          { type: 'string', minLength: 1, minimum: 2 },
          { type: 'integer', minimum: 2 },
        ],
      },
    ],
    [
      'allOf is merged',
      { allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })], description: 'd' },
      object({ a: text, b: text }, { required: ['a'], description: 'd' }),
    ],
    [
      'limits that are open are told in words',
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { type: 'number', description: 'Greater than 0. Less than 9.' },
    ],
    [
      'a format that is unknown is told in words',
      { ...text, format: 'uri', description: 'd' },
      { ...text, description: 'd Format: uri.' },
    ],
    ['a format that is known stays', { ...text, format: 'date-time' }, { ...text, format: 'date-time' }],
    ['what an array holds is text where nobody said', { type: 'array', items: {} }, { type: 'array', items: text }],
    [
      'keywords of other dialects are dropped',
      { ...text, title: 'T', default: 'x', examples: ['y'], not: {}, 'x-more': 1 },
      text,
    ],
    ['extra keys of an object are dropped', { type: 'object', additionalProperties: text, patternProperties: {} }, object({})],
    [
      'an object with rules for its keys keeps the keys',
      object({ a: text }, { anyOf: [{ required: ['a'] }] }),
      object({ a: text }),
    ],
    [
      'what is required is known',
      object({ a: text, b: false }, { required: ['a', 'b', 'c'] }),
      object({ a: text }, { required: ['a'] }),
    ],
    ['a type that was not told is guessed', { properties: { a: text } }, object({ a: text })],
  ])('%s', (_name, property, wanted) => {
    expect(loweredOf(property)).toEqual(wanted);
  });

  test('has its references written out, with what stands beside them', () => {
    const $defs = { 'a/b': { ...text, description: 'there' } };
    expect(loweredOf({ $ref: '#/$defs/a~1b' }, { $defs })).toEqual({ ...text, description: 'there' });
    expect(loweredOf({ $ref: '#/$defs/a~1b', description: 'here' }, { $defs })).toEqual({ ...text, description: 'here' });
    expect(loweredOf({ $ref: '#/$defs/%zz' }, { $defs: { '%zz': text } })).toEqual(text);
  });

  test('ends a reference to itself after a few rounds', () => {
    const $defs = { Node: object({ next: { $ref: '#/$defs/Node' } }, { description: 'a node' }) };
    const end = { type: 'object', description: 'a node Nested in the same way.' };
    const round = (next: object): JsonObject => object({ next }, { description: 'a node' });
    expect(loweredOf({ $ref: '#/$defs/Node' }, { $defs })).toEqual(round(round(round(end))));
  });

  test('ends a reference to itself inside allOf, or says that it cannot', () => {
    const through = (allOf: object[]): JsonObject => ({ Node: object({ next: { allOf } }) });
    const node = { $ref: '#/$defs/Node' };
    expect(loweredOf(node, { $defs: through([node]) })).not.toHaveProperty('problem');
    const Both = { allOf: [{ $ref: '#/$defs/Both' }, text] };
    expect(loweredOf({ $ref: '#/$defs/Both' }, { $defs: { Both } })).toEqual({ problem: 'an allOf in it leads back to itself' });
  });

  test('is a problem where references lead nowhere or fan out', () => {
    expect(loweredOf({ $ref: '#/$defs/Gone' })).toEqual({ problem: 'the reference "#/$defs/Gone" leads nowhere' });
    const level = (n: number): JsonObject =>
      object(Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, n === 0 ? text : { $ref: `#/$defs/L${n - 1}` }])));
    const $defs = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`L${n}`, level(n)]));
    expect(loweredOf({ $ref: '#/$defs/L8' }, { $defs })).toEqual({ problem: expect.stringContaining('more than 5000 parts') });
  });
});
