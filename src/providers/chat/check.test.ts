import { describe, expect, test } from 'vitest';
import { type ChatCheckRules, chatFaults } from './check.ts';

const user = { role: 'user', content: 'hi' };
const call = (id: string, more: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'Read', arguments: '{}', ...more },
});
const calls = (...ids: readonly string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const answer = (id: string, content: unknown = 'ok'): object => ({ role: 'tool', tool_call_id: id, content });
const tool = (name: string, parameters: object = { type: 'object', properties: {} }): object => ({
  type: 'function',
  function: { name, parameters },
});

function faultsOf(messages: readonly object[], more: object = {}, rules: ChatCheckRules = {}): string[] {
  return chatFaults({ model: 'm', messages, ...more }, rules);
}

test('a sound conversation has none', () => {
  const system = { role: 'system', content: 'You are a test.' };
  const picture = {
    role: 'user',
    content: [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:' } },
    ],
  };
  const messages = [
    system,
    user,
    calls('a', 'b'),
    answer('a'),
    answer('b'),
    picture,
    { role: 'assistant', content: 'done' },
    user,
  ];
  expect(faultsOf(messages, { tools: [tool('Read'), tool('Glob')] })).toEqual([]);
});

describe('what a strict server refuses', () => {
  const refused: Readonly<Record<string, readonly [readonly object[], string]>> = {
    'no messages': [[], 'there are no messages'],
    'an unknown role': [[{ role: '', content: 'x' }], 'role "" is unknown'],
    'a late system message': [[user, { role: 'system', content: 'x' }], 'behind the first place'],
    'blank text': [[{ role: 'user', content: ' \n' }], 'blank text'],
    'a blank part': [[{ role: 'user', content: [{ type: 'text', text: '' }] }], 'blank text'],
    'no content and no calls': [[user, { role: 'assistant', content: null }], 'no content'],
    'half a character': [[{ role: 'user', content: 'x\ud83d' }], 'half a character'],
    'half a character in arguments': [
      [
        user,
        { role: 'assistant', content: null, tool_calls: [call('a', { arguments: String.raw`{"x":"\ud83d"}` })] },
        answer('a'),
      ],
      'half a character in arguments',
    ],
    'a call without an answer': [[user, calls('a', 'b'), answer('a'), user], 'answered by a'],
    'a call at the end': [[user, calls('a')], 'answered by none'],
    'answers in another order': [[user, calls('a', 'b'), answer('b'), answer('a')], 'answered by b, a'],
    'two answers': [[user, calls('a'), answer('a'), answer('a')], 'answered by a, a'],
    'an answer without a call': [[user, answer('a')], 'answers nothing'],
    'an answer to a message without calls': [[user, { role: 'assistant', content: 'x' }, answer('a')], 'of none'],
    'an id of another form': [[user, calls('a:1'), answer('a:1')], 'not of the form'],
    'an id twice': [[user, calls('a'), answer('a'), calls('a'), answer('a')], 'used twice'],
    'arguments that are no object': [
      [user, { role: 'assistant', content: null, tool_calls: [call('a', { arguments: '[1]' })] }, answer('a')],
      'no JSON object',
    ],
    'arguments that are no text': [
      [user, { role: 'assistant', content: null, tool_calls: [call('a', { arguments: {} })] }, answer('a')],
      'no JSON object',
    ],
    'a bad name': [
      [user, { role: 'assistant', content: null, tool_calls: [call('a', { name: 'a.b' })] }, answer('a')],
      'name the server does not take',
    ],
    'an image in an answer': [[user, calls('a'), answer('a', [{ type: 'image_url' }])], 'an image in a message of role tool'],
    'calls of a user': [[{ ...user, tool_calls: [] }], 'calls in a message of role user'],
  };

  test.each(Object.entries(refused))('%s', (_name, [messages, words]) => {
    expect(faultsOf(messages).join('\n')).toContain(words);
  });

  test('tools without an object schema, with a bad or second name, none or too many', () => {
    const faults = (...tools: readonly object[]): string => faultsOf([user], { tools }).join('\n');
    expect(faults()).toContain('the list of tools is empty');
    expect(faults(tool('a.b'))).toContain('"a.b"');
    expect(faults(tool('Read'), tool('Read'))).toContain('two tools are named Read');
    expect(faults(tool('Read', { type: 'string' }))).toContain('the schema of Read is no object');
    expect(faults(tool('Read', { type: 'object', anyOf: [] }))).toContain('the schema of Read is no object');
    expect(faults(...Array.from({ length: 129 }, (_, i) => tool(`t${i}`)))).toBe('more than 128 tools');
  });

  test('by the rules of the server', () => {
    const messages = [user, calls('a'), answer('a'), user];
    expect(faultsOf(messages)).toEqual([]);
    expect(faultsOf(messages, {}, { allowsUserAfterTool: false })).toEqual([
      'message 3: a user message directly after a tool message',
    ]);
    expect(faultsOf(messages, {}, { callIds: 'mistral' })).toHaveLength(1);
    expect(faultsOf([user, calls('functions.Read:0'), answer('functions.Read:0')], {}, { callIds: 'kimi' })).toEqual([]);
  });

  test('a body that is none', () => {
    expect(chatFaults(null)).toEqual(['no model is named', 'there are no messages']);
  });
});
