import { expect, test } from 'vitest';
import type { ModelRequest } from '../../core/model.ts';
import type { ToolSpec } from '../../core/tool.ts';
import { absolutePath, openToolbox, presentCall, shortPath, type Toolbox } from './toolbox.ts';

const spec = (name: string, keys: readonly string[]): ToolSpec => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, {}])) },
  category: 'file',
  isReadOnly: true,
  isDestructive: false,
});

function boxWith(
  tools: readonly ToolSpec[],
  system = 'You are wield.\n\nWorking directory: /home/ann/my shop\nPlatform: linux',
): Toolbox {
  const request: ModelRequest = {
    model: 'demo',
    system,
    messages: [],
    tools,
    maxOutputTokens: 1,
    signal: new AbortController().signal,
  };
  return openToolbox(request);
}

test('in PascalCase a path is absolute, and dots in it are resolved', () => {
  const box = boxWith([spec('ReadFile', ['path', 'offset', 'limit'])]);
  expect(presentCall(box, { tool: 'ReadFile', input: { path: './src/../a.txt' } })).toEqual({
    name: 'ReadFile',
    input: { path: '/home/ann/my shop/a.txt' },
  });
  expect(absolutePath(box, '/etc/hosts')).toBe('/etc/hosts');
  expect(shortPath(box, '/home/ann/my shop/src/a.ts')).toBe('src/a.ts');
});

test('in snake_case names and keys are those that are offered', () => {
  const box = boxWith([spec('search', ['query', 'path', 'maxResults'])]);
  const call = { tool: 'Grep', input: { pattern: 'x', path: 'src', max_results: 5 } } as const;
  expect(presentCall(box, call)).toEqual({ name: 'search', input: { query: 'x', path: 'src', maxResults: 5 } });
});

test('an optional key that the schema does not know is left out', () => {
  const box = boxWith([spec('Bash', ['command'])]);
  expect(presentCall(box, { tool: 'Bash', input: { command: 'ls', timeout_ms: 5 } }).input).toEqual({ command: 'ls' });
});

test('without a working directory paths are passed on as given', () => {
  const box = boxWith([spec('ReadFile', ['path'])], 'You are wield.');
  expect(presentCall(box, { tool: 'ReadFile', input: { path: 'a.txt' } }).input).toEqual({ path: 'a.txt' });
});
