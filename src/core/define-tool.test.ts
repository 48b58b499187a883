import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type InputOf } from './define-tool.ts';
import type { JsonSchema } from './json-schema.ts';
import { succeed } from './tool-result.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'A path.' },
    limit: { type: 'integer', minimum: 1 },
    mode: { enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
  required: ['path'],
  additionalProperties: false,
} as const;

const execute = async () => succeed('done');

describe('a tool made from a literal schema', () => {
  test('has the input type that the schema says', () => {
    expectTypeOf<InputOf<typeof SCHEMA>['path']>().toEqualTypeOf<string>();
    expectTypeOf<InputOf<typeof SCHEMA>['limit']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<InputOf<typeof SCHEMA>['mode']>().toEqualTypeOf<'fast' | 'slow' | undefined>();
    expectTypeOf<InputOf<typeof SCHEMA>['tags']>().toExtend<readonly { readonly name: string }[] | undefined>();
    const tool = defineTool({
      name: 'Look',
      description: 'Looks.',
      inputSchema: { type: 'object', properties: { at: { type: 'string' }, far: { type: 'boolean' } }, required: ['at'] },
      // Inferred without `as const`.
      subject: (input) => {
        expectTypeOf(input.at).toEqualTypeOf<string>();
        expectTypeOf(input.far).toEqualTypeOf<boolean | undefined>();
        return input.at;
      },
      execute: async (_context, { at }) => succeed(at, { at }),
    });
    expectTypeOf(tool.execute).returns.resolves.toHaveProperty('metadata').toEqualTypeOf<{ at: string } | undefined>();
    expect(tool.subject({ at: 'x' })).toBe('x');
  });

  test('fails closed: it writes, destroys, touches everything and runs alone', () => {
    const tool = defineTool({ name: 'Do', description: 'Does.', inputSchema: SCHEMA, execute });
    expect(tool).toMatchObject({
      name: 'Do',
      description: 'Does.',
      inputSchema: SCHEMA,
      category: 'agent',
      isReadOnly: false,
      isDestructive: true,
      isDeferred: false,
    });
    expect(tool.isConcurrencySafe({ path: 'x' })).toBe(false);
    expect(tool.footprint({ path: 'x' }, { cwd: '/' })).toEqual({ extent: 'everything', writes: true });
    expect(tool.validateInput({ path: 'x' }, { cwd: '/' })).toBeNull();
    expect(tool.subject({ path: 'x' })).toBe('{"path":"x"}');
    expect(Object.isFrozen(tool)).toBe(true);
  });

  test('may be safe beside others for some inputs; then its footprint only reads', () => {
    const tool = defineTool({
      name: 'Do',
      description: 'Does.',
      inputSchema: SCHEMA,
      isConcurrencySafe: ({ mode }) => mode === 'slow',
      execute,
    });
    expect(tool.isConcurrencySafe({ path: 'x', mode: 'slow' })).toBe(true);
    expect(tool.footprint({ path: 'x', mode: 'slow' }, { cwd: '/' })).toEqual({ extent: 'everything', writes: false });
    expect(tool.footprint({ path: 'x' }, { cwd: '/' })).toEqual({ extent: 'everything', writes: true });
    expect(
      defineTool({ name: 'Do', description: 'Does.', inputSchema: SCHEMA, isConcurrencySafe: true, execute }).isConcurrencySafe({
        path: 'x',
      }),
    ).toBe(true);
  });

  test('checks its input', async () => {
    const tool = defineTool({ name: 'Do', description: 'Does.', inputSchema: SCHEMA, execute });
    expect(await tool.checkInput({ path: 'x', limit: 3 })).toEqual({ input: { path: 'x', limit: 3 } });
    expect(await tool.checkInput({ limit: 0 })).toEqual({ problem: '"path" is missing (A path). "limit": 0 is less than 1.' });
  });
});

describe('a tool made from a Zod schema', () => {
  const tool = defineTool({
    name: 'Add',
    description: 'Adds.',
    inputSchema: z.object({ a: z.number().describe('One.'), b: z.string().transform(Number), c: z.boolean().default(true) }),
    execute: async (_context, { a, b, c }) => {
      expectTypeOf({ a, b, c }).toEqualTypeOf<{ a: number; b: number; c: boolean }>();
      return succeed(String(a + b));
    },
  });

  test('has the JSON Schema of what a model sends', () => {
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'number', description: 'One.' }, b: { type: 'string' }, c: { type: 'boolean', default: true } },
      required: ['a', 'b'],
    });
  });

  test('gets its input transformed, and problems in words', async () => {
    expect(await tool.checkInput({ a: 1, b: '2' })).toEqual({ input: { a: 1, b: 2, c: true } });
    expect(await tool.checkInput({ a: 'x' })).toEqual({
      problem: '"a": Invalid input: expected number, received string. "b": Invalid input: expected string, received undefined.',
    });
    expect(await tool.checkInput(null)).toEqual({ problem: 'Invalid input: expected object, received null.' });
  });

  test('may be strict about keys', async () => {
    const strict = defineTool({
      name: 'S',
      description: 'S.',
      inputSchema: z.strictObject({ deep: z.object({ list: z.array(z.int()) }) }),
      execute,
    });
    expect(await strict.checkInput({ deep: { list: [1, 'x'] }, more: 1 })).toEqual({
      problem: '"deep.list.1": Invalid input: expected number, received string. Unrecognized key: "more".',
    });
  });
});

describe('a definition fails at once', () => {
  const define = (more: object) => () => defineTool({ name: 'Do', description: 'Does.', inputSchema: SCHEMA, execute, ...more });

  test.each(['', '1st', 'a b', 'é', 'a'.repeat(65), 'x.y'])('with the name %j', (name) => {
    expect(define({ name })).toThrow(new TypeError(`Tool name "${name}" must match ^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`));
  });

  test('without a description', () => {
    expect(define({ description: ' \n' })).toThrow(
      new TypeError('Tool Do needs a description: it is all that a model knows of it'),
    );
  });

  const circular: Record<string, unknown> = { type: 'object', properties: {} };
  circular['properties'] = { self: circular };
  test.each<[string, unknown, string]>([
    ['empty', {}, 'the schema is empty'],
    ['not of an object', { type: 'string' }, `the schema's root must have type "object"`],
    ['without properties', { type: 'object' }, 'the schema names no properties; write properties: {} for a tool without input'],
    [
      'requiring what it does not know',
      { type: 'object', properties: { a: {} }, required: ['b'] },
      'the schema requires "b", which is not among its properties',
    ],
    [
      'holding a function',
      { type: 'object', properties: { a: { type: String } } },
      'the schema is not representable as JSON: #/properties/a/type is a function',
    ],
    [
      'holding a regular expression',
      { type: 'object', properties: { a: { pattern: /x/ } } },
      'the schema is not representable as JSON: #/properties/a/pattern is a RegExp',
    ],
    [
      'holding no number',
      { type: 'object', properties: { a: { maximum: Number.NaN } } },
      'the schema is not representable as JSON: #/properties/a/maximum is a number',
    ],
    [
      'holding a big integer',
      { type: 'object', properties: { a: { maximum: 1n } } },
      'the schema is not representable as JSON: #/properties/a/maximum is a bigint',
    ],
    ['leading back to itself', circular, 'the schema is not representable as JSON: #/properties/self leads back to itself'],
    [
      'with a reference to nowhere',
      { type: 'object', properties: { a: { $ref: '#/$defs/b' } } },
      'the reference #/$defs/b at #/properties/a/$ref leads nowhere',
    ],
  ])('with a schema that is %s', (_name, inputSchema, fault) => {
    expect(define({ inputSchema })).toThrow(new TypeError(`Tool Do: ${fault}`));
  });

  test.each<[string, unknown, RegExp]>([
    ['a date', z.object({ at: z.date() }), /^Tool Do: its schema has no JSON form: .*Date/],
    ['no object', z.string(), /^Tool Do: the schema's root must have type "object"$/],
    [
      'no JSON Schema',
      { '~standard': { version: 1, vendor: 'old-lib', validate: () => ({ value: 1 }) } },
      /^Tool Do: its schema has no JSON form: .*old-lib's schema does not carry JSON Schema/,
    ],
  ])("with a library's schema of %s", (_name, inputSchema, message) => {
    expect(define({ inputSchema })).toThrow(message);
  });

  test('but not for a tool that takes nothing, or with references that hold', async () => {
    const nothing = defineTool({
      name: 'Now',
      description: 'Tells the time.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      execute,
    });
    expect(await nothing.checkInput({})).toEqual({ input: {} });
    expect(await nothing.checkInput({ a: 1 })).toEqual({ problem: 'Unknown key "a". This tool takes no input.' });
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x~1y' } },
      $defs: { 'x/y': { type: 'string' } },
    };
    expect(await defineTool({ name: 'R', description: 'R.', inputSchema: schema, execute }).checkInput({ a: 1 })).toEqual({
      problem: '"a" must be a string; it is a number.',
    });
  });
});
