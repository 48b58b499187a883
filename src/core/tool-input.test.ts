import { expect, test } from 'vitest';
import { describeMalformedInput, parseToolInput } from './tool-input.ts';

test.each([
  ['{"a":1}', { input: { a: 1 } }],
  ['', { input: {} }],
  [' \n', { input: {} }],
  ['{"a":', { input: null, malformedInput: '{"a":' }],
  ['[1]', { input: null, malformedInput: '[1]' }],
  ['null', { input: null, malformedInput: 'null' }],
  ['"x"', { input: null, malformedInput: '"x"' }],
])('the argument text %j', (text, expected) => {
  expect(parseToolInput(text)).toEqual(expected);
});

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test('input that is nested too deep is refused with words that say so', () => {
  expect(parseToolInput(nested(200))).toMatchObject({ input: { a: expect.anything() } });
  expect(parseToolInput(nested(201))).toEqual({ input: null, malformedInput: nested(201) });
  expect(describeMalformedInput(nested(201))).toBe(
    'its input is nested more than 200 levels deep, and at most 200 are taken. Send the call again with less nesting.',
  );
});

test.each([
  ['{"a":', 'its input was not a complete JSON object. Send the call again with valid JSON. It began: {"a":'],
  ['', 'its input was not a complete JSON object. Send the call again with valid JSON.'],
  // What is left of an input that came as an object, not as text.
  ['{}', 'its input did not arrive whole. Send the call again with all of its input.'],
])('what is wrong with %j', (text, expected) => {
  expect(describeMalformedInput(text)).toBe(expected);
});
