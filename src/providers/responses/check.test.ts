import { describe, expect, test } from 'vitest';
import { responsesFaults } from './check.ts';

const said = (role: string, type: string, text: string) => ({ type: 'message', role, content: [{ type, text }] });
const user = said('user', 'input_text', 'hi');
const reply = said('assistant', 'output_text', 'so');
const call = (call_id: string, more: object = {}) => ({
  type: 'function_call',
  call_id,
  name: 'Look',
  arguments: '{}',
  ...more,
});
const output = (call_id: string, more: object = {}) => ({ type: 'function_call_output', call_id, output: 'x', ...more });
const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'sealed' };
const tool = (name: string, parameters: object = { type: 'object', properties: {} }) => ({ type: 'function', name, parameters });

const faultsOf = (input: readonly object[], more: object = {}): string[] =>
  responsesFaults({ model: 'm', store: false, input, ...more });

describe('the checker for OpenAI Responses', () => {
  test('takes a sound request', () => {
    const input = [
      user,
      reasoning,
      reply,
      call('a'),
      call('b'),
      output('a'),
      output('b'),
      user,
      reasoning,
      call('c'),
      output('c'),
    ];
    expect(faultsOf(input, { tools: [tool('Look'), tool('Find')] })).toEqual([]);
  });

  test.each<[string, readonly object[], string]>([
    ['an empty input', [], 'the input is empty'],
    ['a call without an output', [user, call('a')], 'No tool output found for function call a'],
    ['an output without a call', [user, output('a')], 'answers a; wanted nothing'],
    ['outputs in another order', [user, call('a'), call('b'), output('b'), output('a')], 'answers b; wanted a'],
    ['a message before the output', [user, call('a'), reply, output('a')], 'stands between a call and its output'],
    [
      'a call before all are answered',
      [user, call('a'), call('b'), output('a'), call('c'), output('b'), output('c')],
      'is a call before b is answered',
    ],
    ['an id used twice', [user, call('a'), output('a'), call('a'), output('a')], 'the call_id a is used twice'],
    ['a call_id of 65 characters', [user, call('x'.repeat(65)), output('x'.repeat(65))], 'has a bad call_id'],
    ['a name with a dot', [user, call('a', { name: 'a.b' }), output('a')], 'has a bad name'],
    ['arguments that are no object', [user, call('a', { arguments: '[]' }), output('a')], 'are no JSON object'],
    ['arguments that are cut', [user, call('a', { arguments: '{"a' }), output('a')], 'are no JSON object'],
    ['an item id of another kind', [user, call('a', { id: 'rs_1' }), output('a')], 'has a bad id'],
    ['an output that is missing', [user, call('a'), output('a', { output: null })], 'has no output'],
    ['blank text', [said('user', 'input_text', ' ')], 'has blank text'],
    ['half a character', [said('user', 'input_text', 'a\ud83d')], 'has half a character'],
    ['a part of the other role', [said('assistant', 'input_text', 'a')], 'has a part of type input_text'],
    ['a role that is none', [said('tool', 'input_text', 'a')], 'has the role tool'],
    ['reasoning at the end', [user, reasoning], 'without its required following item'],
    ['reasoning before the user', [user, reasoning, user], 'without its required following item'],
    ['open reasoning', [user, { ...reasoning, encrypted_content: null }, reply], 'without encrypted_content'],
    ['reasoning with an id', [user, { ...reasoning, id: 'rs_1' }, reply], 'Item with id rs_1 not found'],
    ['an image in another tongue', [{ ...user, content: [{ type: 'input_image', image_url: 'AAAA' }] }], 'has a bad image_url'],
  ])('refuses %s', (_name, input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringContaining(fault)]);
  });

  test.each<[string, readonly object[], string]>([
    ['two tools of one name', [tool('Look'), tool('Look')], 'two tools are named Look'],
    ['a name that is too long', [tool('x'.repeat(65))], 'is refused'],
    ['a schema that is no object', [tool('Look', { type: 'string' })], 'the schema of Look is no object'],
    ['a union at the top', [tool('Look', { type: 'object', anyOf: [] })], 'has anyOf at its top'],
    ['too many tools', Array.from({ length: 129 }, (_, i) => tool(`Look${i}`)), '129 tools are more than 128'],
  ])('refuses %s', (_name, tools, fault) => {
    expect(faultsOf([user], { tools })).toEqual([expect.stringContaining(fault)]);
  });
});
