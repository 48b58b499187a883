import { describe, expect, test } from 'vitest';
import { geminiFaults } from './check.ts';

type Part = Readonly<Record<string, unknown>>;

const user = (...parts: readonly Part[]) => ({ role: 'user', parts });
const model = (...parts: readonly Part[]) => ({ role: 'model', parts });
const hi = user({ text: 'hi' });
const signed = { thoughtSignature: 's' };
const call = (name: string, more: object = {}, part: Part = {}): Part => ({ functionCall: { name, args: {}, ...more }, ...part });
const response = (name: string, more: object = {}): Part => ({ functionResponse: { name, response: {}, ...more } });
const tool = (name: string, parametersJsonSchema: object = { type: 'object', properties: {} }) => ({
  name,
  parametersJsonSchema,
});

describe('the checker for Gemini', () => {
  test('takes a sound request', () => {
    const contents = [
      hi,
      model({ text: 'so' }, call('Look', { id: 'a' }, signed), call('Find'), { text: '', ...signed }),
      user(response('Look', { id: 'a' }), response('Find'), { inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
    ];
    const schema = { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }] } } } };
    expect(geminiFaults({ contents, tools: [{ functionDeclarations: [tool('Look'), tool('Find', schema)] }] })).toEqual([]);
  });

  test('asks for signatures only where the model does', () => {
    const contents = [hi, model(call('Look'), call('Find', {}, signed)), user(response('Look'), response('Find'))];
    const fault = expect.stringContaining('Function call is missing a thought_signature');
    expect(geminiFaults({ contents }, 'gemini-3-pro')).toEqual([fault]);
    expect(geminiFaults({ contents }, 'gemini-2.5-pro')).toEqual([]);
  });

  test.each<[string, readonly object[], string]>([
    ['no contents', [], 'contents are empty'],
    ['a model that speaks first', [model({ text: 'a' }), hi], 'the first content must be from the user'],
    ['a user who speaks twice', [hi, hi], 'two contents of user at 1'],
    ['another role', [{ role: 'system', parts: [{ text: 'a' }] }], 'has the role system'],
    ['no parts', [user()], 'has no parts'],
    ['blank text', [user({ text: ' ' })], 'has blank text'],
    ['half a character', [user({ text: 'a\ud83d' })], 'has half a character'],
    ['a part of two kinds', [user({ text: 'a', inlineData: {} })], 'has a part with 2 kinds of data'],
    ['a bad picture', [user({ inlineData: { mimeType: 'text/x', data: '' } })], 'has a bad picture'],
    ['a call without a response', [hi, model(call('a', {}, signed))], 'the last calls have no response'],
    ['fewer responses', [hi, model(call('a', {}, signed), call('b')), user(response('a'))], 'answers a; wanted a, b'],
    [
      'another order',
      [hi, model(call('a', {}, signed), call('b')), user(response('b'), response('a'))],
      'answers b, a; wanted a, b',
    ],
    ['another id', [hi, model(call('a', { id: '1' }, signed)), user(response('a', { id: '2' }))], 'answers a 2; wanted a 1'],
    ['a response to nothing', [hi, model({ text: 'a' }), user(response('a'))], 'answers a; wanted nothing'],
    ['text before a response', [hi, model(call('a', {}, signed)), user({ text: 'b' }, response('a'))], 'before its responses'],
    ['a bad name', [hi, model(call('', {}, signed)), user(response('a'))], 'bad name'],
    ['args that are text', [hi, model(call('a', { args: '{}' }, signed)), user(response('a'))], 'has args that are no object'],
    ['a call of the user', [user(call('a', {}, signed)), model({ text: 'a' })], "is a user's with a call"],
    ['a response of the model', [hi, model(response('a'))], "is a model's with a response"],
  ])('refuses %s', (_name, contents, fault) => {
    expect(geminiFaults({ contents })).toContainEqual(expect.stringContaining(fault));
  });

  test.each<[string, readonly object[], string]>([
    ['an empty list', [], 'the list of declarations is empty'],
    ['two tools of one name', [tool('a'), tool('a')], 'two tools are named a'],
    ['a bad name', [tool('1a')], 'the tool name 1a is refused'],
    ['a schema that is no object', [tool('a', { type: 'string' })], 'the schema of a is no object'],
    ['two schemas', [{ ...tool('a'), parameters: {} }], 'a has two schemas'],
    ['a reference deep inside', [tool('a', { type: 'object', properties: { b: { $ref: '#/x' } } })], 'has $ref'],
    ['an array without items', [tool('a', { type: 'object', properties: { b: { type: 'array' } } })], 'an array without items'],
  ])('refuses %s', (_name, functionDeclarations, fault) => {
    expect(geminiFaults({ contents: [hi], tools: [{ functionDeclarations }] })).toEqual([expect.stringContaining(fault)]);
  });
});
