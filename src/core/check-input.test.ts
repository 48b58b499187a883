import { expect, test } from 'vitest';
import { checkInput } from './check-input.ts';
import type { JsonSchema } from './json-schema.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path of the file.' },
    count: { type: 'integer', minimum: 1 },
    either: { type: ['string', 'null'] },
    mode: { type: 'string', enum: ['a', 'b'] },
    list: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    },
    form: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }] },
    one: { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    linked: { $ref: '#/$defs/name' },
    // A schema may be a boolean, which the type leaves out.
    never: false as unknown as JsonSchema,
    free: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
  },
  required: ['path'],
  additionalProperties: false,
  $defs: { name: { type: 'string', minLength: 2 } },
};
const KNOWN = '"path", "count", "either", "mode", "list", "form", "one", "linked", "never", "free"';

test.each<[unknown, string | null]>([
  [{ path: '' }, null],
  [{ path: 'x', count: 1, either: null, mode: 'a', list: [{ id: 'x' }], form: { x: 1 }, linked: 'ab', free: { a: 1 } }, null],
  [{}, '"path" is missing (Absolute path of the file).'],
  [{ path: 1 }, '"path" must be a string; it is a number.'],
  [{ path: null }, '"path" must be a string; it is null.'],
  [{ path: ['x'] }, '"path" must be a string; it is an array.'],
  [{ path: 'x', count: '3' }, '"count" must be an integer; it is a string.'],
  [{ path: 'x', count: 0 }, '"count": 0 is less than 1.'],
  [{ path: 'x', either: 1 }, '"either" must be a string or null; it is a number.'],
  [{ path: 'x', mode: 'c' }, '"mode" must be one of "a", "b"; it is "c".'],
  [{ path: 'x', list: [{ id: 'a' }, {}] }, '"list.1.id" is missing.'],
  [{ path: 'x', list: [{ id: 'a', more: 1 }] }, 'Unknown key "list.0.more". Known keys: "id".'],
  [
    { path: 'x', form: 1 },
    '"form" fits none of the forms it may have. "form" must be a string; it is a number. "form" must be an object; it is a number.',
  ],
  [
    { path: 'x', form: {} },
    '"form" fits none of the forms it may have. "form" must be a string; it is an object. "form.x" is missing.',
  ],
  [{ path: 'x', one: 1 }, '"one" must fit exactly one of the forms it may have.'],
  [{ path: 'x', linked: 1 }, '"linked" must be a string; it is a number.'],
  [{ path: 'x', never: 1 }, 'Property "never" does not match schema. False boolean schema.'],
  [{ path: 'x', free: { a: 'b' } }, '"free.a" must be a number; it is a string.'],
  [{ path: 'x', 'a/b~c%': 1, d: 2 }, `Unknown keys "a/b~c%", "d". Known keys: ${KNOWN}.`],
  [{ path: 'x', constructor: 1 }, `Unknown key "constructor". Known keys: ${KNOWN}.`],
  [JSON.parse('{"path":"x","__proto__":{"count":1}}'), `Unknown key "__proto__". Known keys: ${KNOWN}.`],
  [
    { path: 'x', '\ud800': 1 },
    'A key of the input holds half of a character (a lone surrogate), which no key can. Send whole characters.',
  ],
  [[], 'The input must be an object; it is an array.'],
  [null, 'The input must be an object; it is null.'],
  ['x', 'The input must be an object; it is a string.'],
])('%j', async (input, problem) => {
  expect(await checkInput(SCHEMA, input)).toBe(problem);
});
