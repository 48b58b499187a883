import { Validator, type Schema } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from './json-schema.ts';
import { fitsPlainly } from './plain-fit.ts';

const SCALARS: readonly unknown[] = [null, true, 0, 1, 2.5, -1, '', 'a', 'b'];
const keys = fc.constantFrom('a', 'b', 'constructor', '__proto__');
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...SCALARS),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(true, false),
    // A few keywords each: of many, one nearly always says no.
    fc
      .uniqueArray(
        fc.oneof(
          fc.tuple(
            fc.constant('type'),
            fc.constantFrom<unknown>('string', 'integer', 'number', 'boolean', 'array', 'object', 'null', ['string', 'null']),
          ),
          fc.constant(['description', 'what it is']),
          fc.tuple(fc.constant('enum'), fc.subarray(['a', 'b', 1, null])),
          fc.tuple(fc.constant('minimum'), fc.constantFrom(0, 1)),
          fc.tuple(fc.constant('maximum'), fc.constantFrom(1, 2)),
          fc.tuple(fc.constant('minLength'), fc.constantFrom(0, 1)),
          fc.tuple(fc.constantFrom('items', 'additionalProperties'), tie('schema')),
          fc.tuple(fc.constant('required'), fc.uniqueArray(keys, { maxLength: 2 })),
          fc.tuple(fc.constant('properties'), fc.dictionary(keys, tie('schema'), { noNullPrototype: true })),
          fc.tuple(fc.constant('anyOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
        ),
        { maxLength: 3, selector: ([keyword]) => keyword },
      )
      .map((pairs) => Object.fromEntries(pairs) as unknown),
  ),
}));

test('what fits plainly fits to the checker', () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { maxLength: 20 }), (schema, more) => {
      for (const value of [...SCALARS, ...more].filter((one) => fitsPlainly(schema as JsonSchema, one)))
        expect([schema, value, new Validator(schema as Schema, '2020-12', false).validate(value).valid]).toEqual([
          schema,
          value,
          true,
        ]);
    }),
    { numRuns: 2000 },
  );
});

const FILE: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path.' },
    limit: { type: 'integer', minimum: 1 },
    mode: { type: 'string', enum: ['a', 'b'] },
    edits: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  },
  required: ['path'],
  additionalProperties: false,
};

test.each<[unknown, boolean]>([
  [{ path: 'x', limit: 1, mode: 'b', edits: [{ id: '1' }] }, true],
  [{}, false],
  [{ path: 1 }, false],
  [{ path: 'x', limit: 0 }, false],
  [{ path: 'x', limit: 1.5 }, false],
  [{ path: 'x', mode: 'c' }, false],
  [{ path: 'x', edits: [{}] }, false],
  [{ path: 'x', constructor: 1 }, false],
  [{ path: 'x', '\ud800': 1 }, false],
  [JSON.parse('{"path":"x","__proto__":{}}'), false],
  [null, false],
])('%j fits plainly: %s', (input, fits) => {
  expect(fitsPlainly(FILE, input)).toBe(fits);
});

test('a keyword that it does not know is never plain', () => {
  expect(fitsPlainly({ type: 'string', pattern: '^a' }, 'a')).toBe(false);
});
