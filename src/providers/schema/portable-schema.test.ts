import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json-value.ts';
import { ToolRegistry } from '../../core/registry.ts';
import { setupTools } from '../../tools/builtin.ts';
import { geminiFaults } from '../gemini/check.ts';
import { portableSchema, type SchemaTarget } from './portable-schema.ts';
import { responsesFaults } from '../responses/check.ts';
import { TOOL_FORMATS } from '../tool-formats.ts';

const TARGETS: readonly SchemaTarget[] = ['anthropic', 'openai', 'gemini'];
const text = { type: 'string' };
const object = (properties: object, more: object = {}): JsonObject => ({ type: 'object', properties, ...more });
const shapeOf = (schema: JsonObject, target: SchemaTarget = 'openai'): unknown => portableSchema(schema, target);

describe('the top of a portable schema', () => {
  test('offers the properties of all members of a union, and requires what every member does', () => {
    for (const union of ['anyOf', 'oneOf']) {
      const schema = {
        [union]: [object({ kind: text, a: text }, { required: ['kind', 'a'] }), object({ kind: text }, { required: ['kind'] })],
        description: 'either',
      };
      expect(shapeOf(schema)).toEqual({
        schema: { type: 'object', description: 'either', properties: { kind: text, a: text }, required: ['kind'] },
      });
    }
  });

  test('requires what any member of allOf does, and keeps what stands beside it', () => {
    const allOf = [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })];
    expect(shapeOf(object({ c: text }, { allOf, required: ['c'] }))).toEqual({
      schema: object({ c: text, a: text, b: text }, { required: ['c', 'a', 'b'] }),
    });
  });

  test('makes a property that members know in different ways either of them', () => {
    const members = [object({ v: text }), object({ v: { type: 'integer' } }), object({ v: { type: 'boolean' } })];
    expect(shapeOf({ oneOf: members })).toEqual({
      schema: object({ v: { anyOf: [text, { type: 'integer' }, { type: 'boolean' }] } }),
    });
  });

  test('keeps an object that says which of its keys go together', () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }];
    expect(shapeOf(object({ a: text, b: text }, { anyOf }))).toEqual({ schema: object({ a: text, b: text }) });
  });

  test('follows a reference, and takes an object out of its nullable type', () => {
    const $defs = { Input: object({ a: text }, { required: ['a'] }) };
    const wanted = { schema: { ...object({ a: text }, { required: ['a'] }), $defs } };
    expect(shapeOf({ $ref: '#/$defs/Input', $defs })).toEqual(wanted);
    expect(shapeOf({ ...$defs.Input, type: ['object', 'null'], $defs })).toEqual(wanted);
    expect(shapeOf({ anyOf: [{ $ref: '#/$defs/Input' }, { type: 'null' }], $defs })).toEqual(wanted);
  });

  test('drops the keywords that no target takes there', () => {
    const schema = object(
      { a: text },
      { not: { required: ['b'] }, enum: [{}], if: {}, $schema: 'x', additionalProperties: false },
    );
    expect(shapeOf(schema)).toEqual({ schema: object({ a: text }, { additionalProperties: false }) });
  });

  test.each<[string, JsonObject, string]>([
    ['text', { type: 'string' }, 'it takes "string" and no object'],
    ['texts', { anyOf: [text, { type: 'array' }] }, 'it takes "string" and no object'],
    ['itself', { $ref: '#' }, 'its top refers to itself'],
    ['nothing', { $ref: '#/$defs/Gone' }, 'the reference "#/$defs/Gone" leads nowhere'],
    ['nothing below', object({ a: { $ref: 'other.json' } }), 'the reference "other.json" leads nowhere'],
    ['a bottomless pit', Array.from({ length: 80 }).reduce((inner: JsonObject) => object({ a: inner }), text), 'deeper than 60'],
  ])('is a problem and no throw where it is %s', (_name, schema, problem) => {
    for (const target of TARGETS) expect(shapeOf(schema, target)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('the parts of a portable schema', () => {
  test('have items in arrays and properties in objects, at any depth', () => {
    const schema = object({ list: { type: 'array', items: { type: 'object' } }, any: { anyOf: [{ type: 'array' }] } });
    expect(shapeOf(schema)).toEqual({
      schema: object({
        list: { type: 'array', items: { type: 'object', properties: {} } },
        any: { anyOf: [{ type: 'array', items: {} }] },
      }),
    });
  });

  test('lose the words of older drafts, which would make the whole invalid', () => {
    const old = { type: 'number', minimum: 0, exclusiveMinimum: true, required: true };
    expect(shapeOf(object({ a: old, b: { type: 'any' }, c: { enum: [] }, d: true, e: { type: 'array', items: true } }))).toEqual({
      schema: object({ a: { type: 'number', minimum: 0 }, b: {}, c: {}, d: {}, e: { type: 'array', items: {} } }),
    });
  });

  test('have no allOf for OpenAI', () => {
    const $defs = { A: object({ a: text }, { required: ['a'] }), B: object({ b: text }) };
    const [a, b] = [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }];
    const schema = object({ one: { allOf: [a], description: 'd' }, two: { allOf: [a, b] } }, { $defs });
    const two = object({ a: text, b: text }, { required: ['a'] });
    expect(shapeOf(schema)).toEqual({ schema: object({ one: { ...a, description: 'd' }, two }, { $defs }) });
    expect(shapeOf(schema, 'anthropic')).toEqual({ schema });
    const one = { ...$defs.A, description: 'd' };
    expect(shapeOf(schema, 'gemini')).toEqual({ schema: object({ one, two }) });
  });

  test('say tuples in the words of their target', () => {
    const items = [text, { type: 'integer' }];
    for (const tuple of [{ items }, { prefixItems: items }]) {
      const schema = object({ pair: { type: 'array', ...tuple } });
      expect(shapeOf(schema, 'anthropic')).toEqual({ schema: object({ pair: { type: 'array', prefixItems: items } }) });
      expect(shapeOf(schema, 'openai')).toEqual({ schema: object({ pair: { type: 'array', items: { anyOf: items } } }) });
      expect(shapeOf(schema, 'gemini')).toEqual({ schema: object({ pair: { type: 'array', items: { anyOf: items } } }) });
    }
  });

  test('have names that Anthropic takes', () => {
    expect(shapeOf(object({ 'a b': text }), 'anthropic')).toEqual({ problem: expect.stringContaining('"a b"') });
    expect(shapeOf(object({ 'a b': text }), 'openai')).toEqual({ schema: object({ 'a b': text }) });
  });

  test('stay as they are where a property bears the name of a keyword', () => {
    const schema = object({ items: text, enum: text, required: { type: 'boolean' }, not: text }, { required: ['items'] });
    for (const target of TARGETS) expect(shapeOf(schema, target)).toEqual({ schema });
  });

  test("of wield's own tools pass every checker", () => {
    const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });
    const reshaped = (target: SchemaTarget): object[] =>
      registry.specs().map(({ name, inputSchema }) => ({ name, type: 'function', ...portableSchema(inputSchema, target) }));
    const declared = (target: SchemaTarget, key: string): object[] =>
      reshaped(target).map((tool) => ({ ...tool, [key]: 'schema' in tool ? tool.schema : null }));
    const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }];
    expect(responsesFaults({ model: 'm', input, tools: declared('openai', 'parameters') })).toEqual([]);
    const functionDeclarations = declared('gemini', 'parameters');
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    expect(geminiFaults({ contents, tools: [{ functionDeclarations }] })).toEqual([]);
  });
});
