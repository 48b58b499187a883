import { describe, expect, test } from 'vitest';
import { defineTool } from './define-tool.ts';
import { canonicalInput, presentedName, presentTool } from './presentation.ts';
import type { Tool } from './tool.ts';
import { succeed } from './tool-result.ts';

const TOOL = defineTool({
  name: 'FindText',
  description: 'Finds text; max_hits hits at most. FindText is not MyFindText.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to find.' },
      path: { type: 'string', description: 'Absolute path of a folder. Default: the project root.' },
      max_hits: { type: 'integer', description: 'Hits to show. Default 100.' },
      edits: { type: 'array', items: { type: 'string' } },
      more: { type: 'object', properties: {} },
    },
    required: ['text'],
  },
  aliases: {
    snakeCase: 'find_text',
    keys: { query: 'text', file_path: 'path', maxHits: 'max_hits' },
    snakeCaseKeys: { text: 'query', max_hits: 'maxHits' },
    snakeCaseDefaults: { max_hits: 20 },
    pathKeys: ['path'],
  },
  execute: async () => succeed('x'),
}) as Tool;

const pascal = (input: unknown, cwd = '/w') => canonicalInput(TOOL, input, { toolNames: 'PascalCase', cwd });
const snake = (input: unknown, cwd = '/w') => canonicalInput(TOOL, input, { toolNames: 'snake_case', cwd });

describe('presentTool', () => {
  test('PascalCase shows the tool as it is', () => {
    const { name, description, inputSchema } = presentTool(TOOL, [TOOL], 'PascalCase');
    expect({ name, description, inputSchema }).toEqual({
      name: 'FindText',
      description: TOOL.description,
      inputSchema: TOOL.inputSchema,
    });
    expect(presentedName(TOOL, 'PascalCase')).toBe('FindText');
  });

  test('snake_case renames the tool, its keys and its defaults, in its texts too', () => {
    expect(presentTool(TOOL, [TOOL], 'snake_case')).toEqual({
      name: 'find_text',
      description: 'Finds text; maxHits hits at most. find_text is not MyFindText.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to find.' },
          path: {
            type: 'string',
            description: 'Path of a folder, absolute or relative to the project root. Default: the project root.',
          },
          maxHits: { type: 'integer', description: 'Hits to show. Default 20.' },
          edits: { type: 'array', items: { type: 'string' } },
          more: { type: 'object', properties: {} },
        },
        required: ['query'],
      },
      category: 'agent',
      isReadOnly: false,
      isDestructive: true,
    });
    expect(presentedName(TOOL, 'snake_case')).toBe('find_text');
  });
});

describe('canonicalInput', () => {
  test('either spelling of a key is understood in both presentations', () => {
    expect(pascal({ query: 'x', maxHits: 3, file_path: '/a' })).toEqual({ text: 'x', max_hits: 3, path: '/a' });
    expect(snake({ text: 'x', max_hits: 3, path: '/a' })).toEqual({ text: 'x', max_hits: 3, path: '/a' });
  });

  test('a key under its own name wins over another spelling of it', () => {
    expect(pascal({ query: 'alias', text: 'own' })).toEqual({ text: 'own' });
    expect(pascal({ text: 'own', query: 'alias' })).toEqual({ text: 'own' });
  });

  test('unknown keys stay, for the schema to name, whatever they are called', () => {
    expect(pascal({ text: 'x', other: 1 })).toEqual({ text: 'x', other: 1 });
    const odd = pascal(JSON.parse('{"text":"x","__proto__":{"path":"/a"},"constructor":1,"toString":2}')) as object;
    expect(Object.keys(odd)).toEqual(['text', '__proto__', 'constructor', 'toString']);
    expect((odd as { path?: string }).path).toBeUndefined();
  });

  test('arrays and objects that come as JSON text become what they say', () => {
    expect(pascal({ text: '[1]', edits: '["a","b"]', more: '{"x":1}' })).toEqual({
      text: '[1]',
      edits: ['a', 'b'],
      more: { x: 1 },
    });
    expect(pascal({ edits: 'not json' })).toEqual({ edits: 'not json' });
  });

  test('what is no object stays what it is', () => {
    for (const input of [null, 'x', 3, ['a']]) expect(snake(input)).toBe(input);
  });

  test('in snake_case another default is filled in', () => {
    expect(snake({ query: 'x' })).toEqual({ text: 'x', max_hits: 20 });
    expect(snake({ query: 'x', maxHits: 7 })).toEqual({ text: 'x', max_hits: 7 });
    expect(pascal({ query: 'x' })).toEqual({ text: 'x' });
  });

  test.each([
    ['src/a.ts', '/w', '/w/src/a.ts'],
    ['./a/../b//c/', '/w', '/w/b/c'],
    ['../x', '/w/p', '/w/x'],
    ['../../../x', '/w', '/x'],
    ['..', '/', '/'],
    ['.', '/w', '/w'],
    ['a', '/', '/a'],
    ['/abs/./x', '/w', '/abs/./x'],
    ['~/x', '/w', '~/x'],
    ['', '/w', ''],
  ])('in snake_case the path %j below %s is %s', (path, cwd, expected) => {
    expect(snake({ path }, cwd)).toEqual({ path: expected, max_hits: 20 });
    expect(pascal({ path }, cwd)).toEqual({ path });
  });
});
