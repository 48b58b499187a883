import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRegistry, createToolbox, setupTools, textOf, type Toolbox } from '../../src/index.ts';
import { BACKENDS, type OpenedBackend } from './open-backends.ts';

describe.each(Object.entries(BACKENDS))('the tools on %s', (_name, open) => {
  let opened: OpenedBackend;
  let toolbox: Toolbox;

  beforeEach(async () => {
    opened = await open();
    const registry = setupTools(createRegistry(), { allowWrite: true, allowBash: true, allowApplyPatch: true });
    toolbox = createToolbox({
      backend: opened.backend,
      registry,
      permissions: { mode: 'acceptEdits', allow: ['Bash(echo hi)'] },
    });
    await put('src/a.ts', 'const one = 1;\r\nconst two = 2;\r\n');
    await put('.gitignore', 'out\n');
  });
  afterEach(() => opened.close());

  const at = (name: string): string => join(opened.backend.cwd, name);
  const put = (name: string, text: string) => opened.backend.files.replace(at(name), Buffer.from(text), 'any');
  const textAt = async (name: string): Promise<string> => Buffer.from(await opened.backend.files.read(at(name))).toString('utf8');
  /** What a model is told, with the project root as `/project` wherever it is. */
  const call = async (name: string, input: Readonly<Record<string, unknown>>): Promise<string> => {
    const { content, isError } = await toolbox.call(name, input);
    return `${isError ? 'error: ' : ''}${textOf(content).replaceAll(opened.backend.cwd, '/project')}`;
  };

  test('a file is read, changed where it was to be, and keeps its line ends', async () => {
    expect(await call('ReadFile', { path: at('src/a.ts') })).toBe('1\tconst one = 1;\n2\tconst two = 2;');
    expect(await call('EditFile', { path: at('src/a.ts'), old_string: 'two = 2', new_string: 'three = 3' })).toContain(
      '2\tconst three = 3;',
    );
    expect(await textAt('src/a.ts')).toBe('const one = 1;\r\nconst three = 3;\r\n');
  });

  test('a name that is nearly right is answered with the right one', async () => {
    expect(await call('ReadFile', { path: at('src/b.ts') })).toBe(
      'error: There is no file or folder /project/src/b.ts. Near names: /project/src/a.ts.',
    );
    expect(await call('ReadFile', { path: at('src') })).toContain('error: /project/src is a directory, not a file.');
  });

  test('a file that was not seen is not replaced, and a new one is written with its folders', async () => {
    expect(await call('WriteFile', { path: at('src/a.ts'), content: 'x' })).toMatch(/^error: .*Read it with ReadFile first/);
    expect(await call('WriteFile', { path: at('new/deep/b.txt'), content: 'beta\n' })).toMatch(
      /^Wrote 5 bytes to \/project\/new\/deep\/b\.txt/,
    );
    expect([await textAt('src/a.ts'), await textAt('new/deep/b.txt')]).toEqual([
      'const one = 1;\r\nconst two = 2;\r\n',
      'beta\n',
    ]);
  });

  test('a patch of several files comes whole or not at all', async () => {
    const patch = (line: string): string =>
      `*** Begin Patch\n*** Add File: ${at('c.txt')}\n+gamma\n*** Update File: ${at('src/a.ts')}\n@@\n-${line}\n+const one = 11;\n*** End Patch`;
    expect(await call('ApplyPatch', { patch: patch('const nine = 9;') })).toMatch(/^error: /);
    await expect(textAt('c.txt')).rejects.toThrow();
    expect(await call('ApplyPatch', { patch: patch('const one = 1;') })).not.toMatch(/^error: /);
    expect([await textAt('c.txt'), await textAt('src/a.ts')]).toEqual(['gamma\n', 'const one = 11;\r\nconst two = 2;\r\n']);
  });

  test('what is searched is found', async () => {
    await put('out/skipped.ts', 'const one = 1;\n');
    expect(await call('Glob', { pattern: '**/*.ts' })).toMatch(/^1 file under \/project, newest first:\nsrc\/a\.ts\n/);
    expect(await call('Grep', { pattern: 'const t\\w+' })).toContain('src/a.ts:2: const two = 2;');
    expect(await call('Grep', { pattern: 'nowhere' })).toContain('No match');
  });

  test('a command runs where a rule allows it, and any other one that does something is not asked for', async () => {
    expect(await call('Bash', { command: 'echo hi' })).toMatch(/^<output>\nhi\n<\/output>\n<exit_code>0<\/exit_code>/);
    expect(await call('Bash', { command: 'sh ./unknown.sh' })).toMatch(/^error: Bash was not run: it needs a permission/);
  });

  test('what may hold secrets, what governs tools, and what is outside asks', async () => {
    await put('.env', 'KEY=1\n');
    expect(await call('ReadFile', { path: at('.env') })).toContain('.env may hold secrets');
    expect(await call('Grep', { pattern: 'KEY' })).not.toContain('KEY=1');
    expect(await call('WriteFile', { path: at('.git/hooks/pre-commit'), content: 'x' })).toContain('governs tools');
    expect(await call('ReadFile', { path: '/elsewhere/x.txt' })).toContain('outside the workspace');
    expect(await call('ReadFile', { path: at('src/../../x.txt') })).toContain('outside the workspace');
  });

  test('calls of one message that touch the same file come in their order', async () => {
    const edit = (from: string, to: string) => ({
      name: 'EditFile',
      input: { path: at('src/a.ts'), old_string: from, new_string: to },
    });
    const results = await toolbox.callAll([edit('one = 1', 'one = 2'), edit('one = 2', 'one = 3'), edit('one = 3', 'one = 4')]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(await textAt('src/a.ts')).toContain('one = 4');
  });
});

test('a rule that refuses a place holds where nothing can be looked at, for what is above it too', async () => {
  const open = BACKENDS['memory'] as () => Promise<OpenedBackend>;
  const { backend } = await open();
  await backend.files.replace('/project/private/a.txt', Buffer.from('hush\n'), 'any');
  await backend.files.replace('/project/open/a.txt', Buffer.from('loud\n'), 'any');
  const registry = setupTools(createRegistry(), { allowBash: true });
  const permissions = { deny: ['Read(private/**)'], allow: ['Bash(cat:*)'] };
  const toolbox = createToolbox({ backend, registry, permissions });
  const isRefused = async (name: string, input: object): Promise<boolean> => (await toolbox.call(name, input)).isError;
  expect({
    file: await isRefused('ReadFile', { path: '/project/private/a.txt' }),
    other: await isRefused('ReadFile', { path: '/project/open/a.txt' }),
    above: await isRefused('Grep', { pattern: 'hush' }),
    beside: await isRefused('Grep', { pattern: 'loud', path: '/project/open' }),
    command: await isRefused('Bash', { command: 'cat private/a.txt' }),
  }).toEqual({ file: true, other: false, above: true, beside: false, command: true });
});
