import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import { repairHistory } from './repair.ts';

const prompt: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const call = (id: string, n = 0): ToolUseBlock => ({ type: 'tool_use', id, wireId: id, name: 'Look', input: { n } });
const result = (toolUseId: string, text: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text }],
  isError: false,
});
const asked = (...content: AssistantMessage['content']): Message => ({
  role: 'assistant',
  content,
  state: 'complete',
  provider: 'p',
  model: 'm',
});
const answered = (...content: readonly ToolResultBlock[]): Message => ({ role: 'user', content });

describe('a history in which a call id stands twice', () => {
  test('gives the later call an id of its own, and the results behind it', () => {
    const history = [prompt, asked(call('a', 1)), answered(result('a', '1')), asked(call('a', 2)), answered(result('a', '2'))];
    expect(repairHistory(history)).toEqual([
      prompt,
      asked(call('a', 1)),
      answered(result('a', '1')),
      asked({ ...call('a', 2), id: 'a_2' }),
      answered(result('a_2', '2')),
    ]);
  });

  test('takes a message once that stands twice in a row, with its results', () => {
    const twice = [asked(call('a')), asked(call('a')), answered(result('a', '1')), answered(result('a', '1'))];
    expect(repairHistory([prompt, ...twice])).toEqual([prompt, asked(call('a')), answered(result('a', '1'))]);
  });

  test('gives two calls of one message a result each', () => {
    expect(repairHistory([prompt, asked(call('a', 1), call('a', 2)), answered(result('a', '1'), result('a', '2'))])).toEqual([
      prompt,
      asked(call('a', 1), { ...call('a', 2), id: 'a_2' }),
      answered(result('a', '1'), result('a_2', '2')),
    ]);
  });

  test('takes no id that is there already, and a longer one keeps the ids of a shorter one', () => {
    const history = [
      prompt,
      asked(call('a'), call('a_2')),
      answered(result('a', '1'), result('a_2', '2')),
      asked(call('a', 5)),
      answered(result('a', '3')),
      asked(call('a_3'), call('a')),
    ];
    const whole = repairHistory(history);
    const ids = whole.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
    expect(ids).toEqual(['a', 'a_2', 'a_3', 'a_3_2', 'a_4']);
    expect(whole.slice(0, 5)).toEqual(repairHistory(history.slice(0, 5)));
    expect(repairHistory(whole)).toEqual(whole);
  });
});
