import { expect, test } from 'vitest';
import { fail, succeed } from './tool-result.ts';

test('results are words, with metadata where there is any', () => {
  expect(succeed('ok')).toEqual({ content: [{ type: 'text', text: 'ok' }], isError: false });
  expect(fail('no', { code: 1 })).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true, metadata: { code: 1 } });
});
