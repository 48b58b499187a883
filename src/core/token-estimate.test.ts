import { expect, test } from 'vitest';
import { estimateBlockTokens, estimateMessageTokens, estimateTokens } from './token-estimate.ts';

test.each([
  ['', 0],
  ['four and more words', 5],
  ['{"a":[1,2]}', 5],
  ['你好世界', 4],
  ['안녕하세요', 5],
  ['привет', 3],
  ['🙂', 1],
])('%j is about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('a call costs more than its text, an image a fixed sum, and a signature its bytes', () => {
  expect(estimateBlockTokens({ type: 'tool_use', id: 'a', wireId: null, name: 'Look', input: {} })).toBe(17);
  expect(estimateBlockTokens({ type: 'image', mediaType: 'image/png', data: 'A'.repeat(100_000) })).toBe(1500);
  const replay = { provider: 'p', model: 'm', data: 'x'.repeat(400) };
  expect(estimateBlockTokens({ type: 'thinking', text: '', replay })).toBe(101);
});

test('a message is the sum of its blocks', () => {
  const result = { type: 'tool_result', toolUseId: 'a', isError: false, content: [{ type: 'text', text: 'four' }] } as const;
  expect(estimateMessageTokens({ role: 'user', content: [result, { type: 'text', text: 'and four' }] })).toBe(3);
});
