import { expect, test } from 'vitest';
import { type AssistantMessage, textOf, toolUsesOf } from './message.ts';

test('the calls and the text of a message', () => {
  const call = { type: 'tool_use', id: '1', wireId: null, name: 'X', input: {} } as const;
  const message: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text: 'a' }, call, { type: 'thinking', text: 't' }, { type: 'text', text: 'b' }],
    state: 'complete',
    provider: 'p',
    model: 'm',
  };
  expect(toolUsesOf(message)).toEqual([call]);
  expect(textOf(message.content)).toBe('a\nb');
});
