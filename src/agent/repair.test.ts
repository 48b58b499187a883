import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import { repairHistory } from './repair.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): ToolUseBlock => ({ type: 'tool_use', id, wireId: id, name: 'Look', input: {} });
const result = (toolUseId: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text: `of ${toolUseId}` }],
  isError: false,
});
const said = (content: AssistantMessage['content'], state: AssistantMessage['state'] = 'complete'): AssistantMessage => ({
  role: 'assistant',
  content,
  state,
  provider: 'p',
  model: 'm',
});
const madeUp = (toolUseId: string): unknown => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text: expect.stringContaining('Interrupted') }],
  isError: true,
});

describe('repairHistory', () => {
  test('leaves a sound history alone, message by message the same objects', () => {
    const sound = [
      user('hi'),
      said([call('a'), call('b')]),
      { role: 'user', content: [result('a'), result('b')] } as Message,
      said([{ type: 'text', text: 'done' }]),
    ];
    const repaired = repairHistory(sound);
    expect(repaired).toEqual(sound);
    repaired.forEach((message, i) => expect(message).toBe(sound[i]));
  });

  test('closes calls that were interrupted, also at the end', () => {
    expect(repairHistory([user('hi'), said([call('a')])])).toEqual([
      user('hi'),
      said([call('a')]),
      { role: 'user', content: [madeUp('a')] },
    ]);
    expect(repairHistory([user('hi'), said([call('a')]), user('go on')])).toEqual([
      user('hi'),
      said([call('a')]),
      { role: 'user', content: [madeUp('a'), { type: 'text', text: 'go on' }] },
    ]);
  });

  test('puts results first and in call order, once each, and drops orphans', () => {
    const mixed: Message = {
      role: 'user',
      content: [{ type: 'text', text: 'and' }, result('b'), result('a'), result('a'), result('z')],
    };
    expect(repairHistory([user('hi'), said([call('a'), call('b')]), mixed])[2]).toEqual({
      role: 'user',
      content: [result('a'), result('b'), { type: 'text', text: 'and' }],
    });
  });

  test('of a message that failed it keeps the words and the calls that had run', () => {
    const failed = said([{ type: 'text', text: 'I will' }, { type: 'thinking', text: 'hm' }, call('a'), call('b')], 'failed');
    expect(repairHistory([user('hi'), failed, { role: 'user', content: [result('a')] }])).toEqual([
      user('hi'),
      { ...failed, content: [{ type: 'text', text: 'I will' }, call('a')] },
      { role: 'user', content: [result('a')] },
    ]);
  });

  test('drops empty messages and merges what they leave beside each other', () => {
    expect(repairHistory([user('one'), said([], 'failed'), user('two')])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ]);
    expect(repairHistory([user('  '), user('two')])).toEqual([user('two')]);
  });

  test('moves text that stands behind a call before it', () => {
    const mixed = said([{ type: 'thinking', text: 'hm' }, call('a'), { type: 'text', text: 'and so' }, call('b')]);
    const answers: Message = { role: 'user', content: [result('a'), result('b')] };
    expect(repairHistory([user('hi'), mixed, answers])[1]).toEqual(
      said([{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'and so' }, call('a'), call('b')]),
    );
  });

  test('leaves a paused turn open, so that the model can go on where it was', () => {
    const paused = said([{ type: 'text', text: 'searching' }]);
    expect(repairHistory([user('hi'), paused])).toEqual([user('hi'), paused]);
  });

  test('is the same for the same session, cut after any message', () => {
    const session = [
      user('hi'),
      said([call('a'), call('b')]),
      { role: 'user', content: [result('b')] } as Message,
      said([call('c')], 'failed'),
      user('more'),
      said([call('d')]),
    ];
    for (let end = 1; end <= session.length; end++) {
      const once = repairHistory(session.slice(0, end));
      expect(repairHistory(session.slice(0, end))).toEqual(once);
      expect(repairHistory(once)).toEqual(once);
      expect(once.at(-1)?.role === 'user' || once.at(-1)?.content.every((block) => block.type !== 'tool_use')).toBe(true);
    }
  });
});
