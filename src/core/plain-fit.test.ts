import { Validator, type Schema } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from './json-schema.ts';
import { fitsPlainly } from './plain-fit.ts';

const keys = fc.constantFrom('a', 'b', 'constructor', '__proto__');
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1, 2.5, -1, Number.NaN, '', 'a', 'b'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(true, false),
    fc.record(
      {
        type: fc.constantFrom<unknown>('string', 'integer', 'number', 'boolean', 'array', 'object', 'null', ['string', 'null']),
        description: fc.constant('what it is'),
        enum: fc.subarray(['a', 'b', 1, null]),
        minimum: fc.constantFrom(0, 1),
        maximum: fc.constantFrom(1, 2),
        minLength: fc.constantFrom(0, 1),
        items: tie('schema'),
        required: fc.uniqueArray(keys, { maxLength: 2 }),
        properties: fc.dictionary(keys, tie('schema'), { noNullPrototype: true }),
        additionalProperties: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

test('what fits plainly fits to the checker', () => {
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      if (!fitsPlainly(schema as JsonSchema, value)) return;
      expect(new Validator(schema as Schema, '2020-12', false).validate(value).valid).toBe(true);
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
