import { beforeEach, describe, expect, test } from 'vitest';
import { TOOL_FORMATS } from '../providers/tool-formats.ts';
import { defineTool } from './define-tool.ts';
import { DIALECTS, ToolRegistry } from './registry.ts';
import type { Tool, ToolCategory } from './tool.ts';
import { succeed } from './tool-result.ts';

function tool(
  name: string,
  category: ToolCategory,
  more: Partial<Pick<Tool, 'aliases' | 'isReadOnly' | 'isDestructive' | 'isDeferred'>> = {},
): Tool {
  return defineTool({
    name,
    description: `${name} does it; see also LookUp.`,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Absolute path of the file.' } },
      required: ['path'],
    },
    category,
    ...more,
    execute: async () => succeed(name),
  }) as Tool;
}

let registry: ToolRegistry;
beforeEach(() => {
  registry = new ToolRegistry({ renderers: TOOL_FORMATS })
    .register(tool('LookUp', 'search', { aliases: { snakeCase: 'find' }, isReadOnly: true, isDestructive: false }))
    .register(tool('Write', 'file', { isDestructive: false }))
    .register(tool('Shell', 'shell'));
});

const names = (): string[] => registry.list().map(({ name }) => name);

describe('registering and finding', () => {
  test('a tool that is replaced keeps its place, and nothing takes the place of none', () => {
    const other = { ...tool('Write', 'file'), description: 'It writes.' };
    registry.replace(other);
    expect(names()).toEqual(['LookUp', 'Write', 'Shell']);
    expect(registry.get('write')).toBe(other);
    expect(() => registry.replace(tool('None', 'file'))).toThrow('no tool None');
  });

  test('a tool of a server has one spelling, so that no server answers to a name of another', () => {
    registry.register(tool('mcp__mail__lab_send', 'mcp'));
    expect(registry.get('mcp__mail_lab__send')).toBeNull();
    registry.register(tool('mcp__mail_lab__send', 'mcp'));
    expect(registry.get('mcp__mail_lab__send')?.name).toBe('mcp__mail_lab__send');
    expect(registry.lookup('MCP__mail__lab_send')).toBeNull();
  });

  test('tools are listed in order of registration, all or by category', () => {
    expect(names()).toEqual(['LookUp', 'Write', 'Shell']);
    expect(registry.list({ category: 'file' }).map(({ name }) => name)).toEqual(['Write']);
    expect(registry.list({ category: 'git' })).toEqual([]);
  });

  test('a tool is found by every spelling of its names', () => {
    for (const spelling of ['LookUp', 'lookUp', 'look_up', 'look-up', 'LOOK_UP', 'find', 'Find'])
      expect(registry.get(spelling)?.name).toBe('LookUp');
    for (const other of ['', '_', 'Look Up', 'look', 'lookups', 'constructor', '__proto__'])
      expect(registry.lookup(other)).toBeNull();
  });

  test('a name that is taken, in any spelling, is refused', () => {
    expect(() => registry.register(tool('Look_up', 'file'))).toThrow(
      new TypeError('Tool Look_up: the name "lookup" belongs to LookUp'),
    );
    expect(() => registry.register(tool('Find', 'file'))).toThrow(new TypeError('Tool Find: the name "find" belongs to LookUp'));
    expect(() => registry.register(tool('New', 'file', { aliases: { snakeCase: 'shell' } }))).toThrow(
      new TypeError('Tool New: the name "shell" belongs to Shell'),
    );
    expect(names()).toEqual(['LookUp', 'Write', 'Shell']);
  });
});

describe('switching off', () => {
  test('by name, in any spelling, and by category', () => {
    registry.disable('find', 'a test').disable('shell');
    expect(names()).toEqual(['Write']);
    expect(registry.lookup('LookUp')).toEqual({ disabledBy: 'a test' });
    expect(registry.lookup('Shell')).toEqual({ disabledBy: 'the configuration' });
    expect(registry.get('LookUp')).toBeNull();
    registry.enable('search').enable('Shell');
    expect(names()).toEqual(['LookUp', 'Write', 'Shell']);
    registry.disable('nothing of that name');
    expect(names()).toEqual(['LookUp', 'Write', 'Shell']);
  });

  test('what is off is not shown to a model, and what is deferred is not either, but can be called', () => {
    registry.register(tool('Later', 'web', { isDeferred: true })).disable('file');
    expect(registry.specs().map(({ name }) => name)).toEqual(['LookUp', 'Shell']);
    expect(registry.get('Later')?.name).toBe('Later');
  });
});

describe('toAPIFormat', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', description: 'Absolute path of the file.' } },
    required: ['path'],
  };
  const description = 'LookUp does it; see also LookUp.';

  test.each([
    ['anthropic', { name: 'LookUp', description, input_schema: schema }],
    ['openai-chat', { type: 'function', function: { name: 'LookUp', description, parameters: schema } }],
    ['openai-responses', { type: 'function', name: 'LookUp', description, parameters: schema, strict: false }],
    ['gemini', { name: 'LookUp', description, parametersJsonSchema: schema }],
    [
      'mcp',
      {
        name: 'LookUp',
        description,
        title: 'Look up',
        inputSchema: schema,
        annotations: {
          title: 'Look up',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
    ],
  ] as const)('%s', (dialect, expected) => {
    expect(registry.toAPIFormat(dialect)[0]).toEqual(expected);
    expect(registry.toAPIFormat(dialect)).toHaveLength(3);
  });

  test('is Anthropic unless it is said otherwise, and every dialect is plain JSON', () => {
    expect(registry.toAPIFormat()).toEqual(registry.toAPIFormat('anthropic'));
    for (const dialect of DIALECTS)
      expect(JSON.parse(JSON.stringify(registry.toAPIFormat(dialect)))).toEqual(registry.toAPIFormat(dialect));
  });

  test('is the same for the same tools, and only for the enabled ones', () => {
    const before = JSON.stringify(registry.toAPIFormat());
    registry.disable('file');
    expect(registry.toAPIFormat()).toHaveLength(2);
    registry.enable('file');
    expect(JSON.stringify(registry.toAPIFormat())).toBe(before);
  });

  test('in snake_case names tools by their other name, also where a description mentions one', () => {
    const snake = new ToolRegistry({ renderers: TOOL_FORMATS, toolNames: 'snake_case' });
    for (const entry of registry.list()) snake.register(entry);
    expect(snake.toAPIFormat()[0]).toEqual({
      name: 'find',
      description: 'find does it; see also find.',
      input_schema: {
        type: 'object',
        properties: { path: { type: 'string', description: 'Path of the file, absolute or relative to the project root.' } },
        required: ['path'],
      },
    });
    expect(snake.toAPIFormat()[2]).toMatchObject({ name: 'Shell', description: 'Shell does it; see also find.' });
  });
});

test('a deferred tool is told to models once it was offered, behind all others, and stays there when it is gone', () => {
  const registry = new ToolRegistry({ renderers: TOOL_FORMATS });
  registry.register(tool('Late', 'mcp', { isDeferred: true })).register(tool('Early', 'file'));
  const names = (of: ToolRegistry): readonly string[] => of.specs().map(({ name }) => name);
  expect(names(registry)).toEqual(['Early']);
  registry.offer('Late').offer('Early').register(tool('Next', 'file'));
  expect(names(registry)).toEqual(['Early', 'Next', 'Late']);
  const before = JSON.stringify(registry.toAPIFormat());
  registry.disable('Late', 'its server');
  expect(JSON.stringify(registry.toAPIFormat())).toBe(before);
  expect(registry.lookup('Late')).toEqual({ disabledBy: 'its server' });
  expect(names(registry.enable('Late').subset(({ name }) => name !== 'Early'))).toEqual(['Next', 'Late']);
});
