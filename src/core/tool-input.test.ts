import { expect, test } from 'vitest';
import { parseToolInput } from './tool-input.ts';

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
