import { afterEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';
import { ToolRegistry } from '../core/registry.ts';
import { TOOL_FORMATS } from '../providers/tool-formats.ts';
import { createAllTools, setupTools } from './builtin.ts';

const ORIGINAL = ['ReadFile', 'WriteFile', 'EditFile', 'Bash', 'Glob', 'Grep'];

function enabled(options: Parameters<typeof setupTools>[1]): string[] {
  const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), options);
  return registry
    .list()
    .map(({ name }) => name)
    .filter((name) => ORIGINAL.includes(name));
}

describe('setupTools', () => {
  test('reading and searching are always on, writing and the shell where they are allowed', () => {
    expect(enabled({})).toEqual(['ReadFile', 'Glob', 'Grep']);
    expect(enabled({ allowWrite: true })).toEqual(['ReadFile', 'WriteFile', 'EditFile', 'Glob', 'Grep']);
    expect(enabled({ allowBash: true })).toEqual(['ReadFile', 'Bash', 'Glob', 'Grep']);
    expect(enabled({ allowWrite: true, allowBash: true })).toEqual(ORIGINAL);
  });

  test('what is off says by what', () => {
    const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }));
    expect(registry.lookup('write_file')).toEqual({ disabledBy: 'allowWrite' });
    expect(registry.lookup('run_command')).toEqual({ disabledBy: 'allowBash' });
  });

  test('another deadline is told to the model', () => {
    const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowBash: true, bashTimeoutMs: 5000 });
    const text = JSON.stringify(registry.toAPIFormat().find((entry) => JSON.stringify(entry).includes('"Bash"')));
    expect(text).toContain('5000 unless given');
    expect(text).not.toContain('30000');
  });
});

test('the flags of each tool', () => {
  const flags = createAllTools()
    .filter(({ name }) => ORIGINAL.includes(name))
    .map(({ name, category, isReadOnly, isDestructive, isConcurrencySafe }) => [
      name,
      category,
      isReadOnly,
      isDestructive,
      isConcurrencySafe({}),
    ]);
  expect(flags).toEqual([
    ['ReadFile', 'file', true, false, true],
    ['WriteFile', 'file', false, false, false],
    ['EditFile', 'file', false, false, false],
    ['Bash', 'shell', false, true, false],
    ['Glob', 'search', true, false, true],
    ['Grep', 'search', true, false, true],
  ]);
});

test('two sets of tools share nothing, and each is frozen', () => {
  const [some, others] = [createAllTools(), createAllTools()];
  some.forEach((tool, i) => {
    expect(Object.isFrozen(tool)).toBe(true);
    expect(tool).not.toBe(others[i]);
  });
});

describe.each(['PascalCase', 'snake_case'] as const)('what a model is told in %s', (toolNames) => {
  const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS, toolNames }), { allowWrite: true, allowBash: true });

  // A changed word is a change of the product: look at it, then take it over with -u.
  test('toAPIFormat', async () => {
    await expect(`${JSON.stringify(registry.toAPIFormat('anthropic'), null, 2)}\n`).toMatchFileSnapshot(
      `../../test/fixtures/tools.${toolNames}.json`,
    );
  });

  test('descriptions stay below 40 lines, and name only what there is', () => {
    for (const { description, inputSchema } of registry.specs()) {
      expect(description.split('\n').length).toBeLessThan(40);
      for (const { description: words } of Object.values(inputSchema.properties ?? {})) expect(words).toMatch(/\.$/);
      if (toolNames === 'snake_case')
        expect(description).not.toMatch(/\b(ReadFile|WriteFile|EditFile|Bash|Glob|Grep|max_results)\b/);
    }
  });
});

describe('the snake_case presentation', () => {
  let bench: ToolBench;
  afterEach(() => bench.close());

  test('works with its own names, keys, defaults and relative paths', async () => {
    bench = createToolBench({ toolNames: 'snake_case' });
    expect(await bench.call('write_file', { path: 'src/a.txt', content: 'needle\n'.repeat(25) })).toMatchObject({
      isError: false,
    });
    expect(await bench.call('read_file', { path: './src/a.txt', limit: 1 })).toMatchObject({
      text: '1\tneedle\n[24 more lines remain; go on with offset 2.]',
    });
    const { text } = await bench.call('search', { query: 'needle', path: 'src' });
    expect(text.split('\n').filter((line) => line.startsWith('a.txt:'))).toHaveLength(20);
    expect(text).toContain('5 more matches not shown');
    expect((await bench.call('search', { query: 'needle', maxResults: 3 })).text).toContain('22 more matches not shown');
    expect(
      await bench.call('patch_file', { path: 'src/a.txt', old_string: 'needle\n'.repeat(25), new_string: 'x' }),
    ).toMatchObject({ isError: false });
    expect((await bench.call('glob', { pattern: '*.txt', path: 'src' })).text).toContain(`1 file under ${bench.path('src')}`);
    expect((await bench.call('run_command', { command: 'cat src/a.txt' })).text).toBe(
      '<output>\nx\n</output>\n<exit_code>0</exit_code>',
    );
  });

  test('is understood in PascalCase too, and the other way round', async () => {
    bench = createToolBench();
    const path = bench.write('a.txt', 'one\n');
    expect(await bench.call('read_file', { file_path: path })).toMatchObject({ text: '1\tone' });
    expect(await bench.call('search', { query: 'one', maxResults: 1 })).toMatchObject({ isError: false });
    await bench.close();
    bench = createToolBench({ toolNames: 'snake_case' });
    bench.write('a.txt', 'one\n');
    expect(await bench.call('Grep', { pattern: 'one', max_results: 1 })).toMatchObject({ isError: false });
    expect(await bench.call('ReadFile', { path: 'a.txt' })).toMatchObject({ text: '1\tone' });
  });
});
