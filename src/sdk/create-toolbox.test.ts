import { expect, test } from 'vitest';
import {
  type AgentEventBody,
  type Asker,
  createMemoryBackend,
  createRegistry,
  createToolbox,
  type MemoryBackendOptions,
  setupTools,
  textOf,
  type ToolboxOptions,
  type WebAccess,
} from '../index.ts';

function open(options: Partial<ToolboxOptions> = {}, of: MemoryBackendOptions = {}) {
  const backend = createMemoryBackend({ files: { 'a.txt': 'alpha\n' }, ...of });
  const registry = setupTools(createRegistry(), { allowWrite: true, allowBash: true, allowWeb: true });
  const toolbox = createToolbox({ ...options, registry, backend, cwd: undefined });
  const call = async (name: string, input: object): Promise<string> => textOf((await toolbox.call(name, input)).content);
  return { backend, toolbox, call };
}

const EDIT = { path: '/project/a.txt', old_string: 'alpha', new_string: 'beta' };

test('a person who is asked decides, and sees the whole call', async () => {
  const questions: string[] = [];
  const answers: Awaited<ReturnType<Asker>>[] = [
    { type: 'deny', reason: 'not now' },
    { type: 'allow', scope: 'once' },
  ];
  const ask: Asker = async ({ name, details }) => {
    questions.push(`${name} ${details.join(' ')}`);
    return answers.shift() ?? { type: 'deny' };
  };
  const { call, backend } = open({ ask });
  expect(await call('EditFile', EDIT)).toContain('Their reason: not now');
  expect(backend.files.texts()).toEqual({ '/project/a.txt': 'alpha\n' });
  expect(await call('EditFile', EDIT)).toContain('beta');
  expect(backend.files.texts()).toEqual({ '/project/a.txt': 'beta\n' });
  expect(questions[0]).toMatch(/EditFile.*\/project\/a\.txt.*alpha.*beta/s);
});

test('with nobody to ask, what would ask is denied and the model is told so', async () => {
  expect(await open().call('EditFile', EDIT)).toMatch(/^EditFile was not run: it needs a permission .*nobody can be asked/);
});

test('a hook can refuse what the gate lets pass, and is told what came of a call', async () => {
  const heard: string[] = [];
  const hook = {
    name: 'careful',
    beforeTool: async ({ name }: { name: string }) => (name === 'EditFile' ? { deny: 'it is Friday' } : null),
    afterTool: async ({ name }: { name: string }) => {
      heard.push(name);
      return 'mind the gap';
    },
  };
  const { call } = open({ permissions: { mode: 'acceptEdits' }, hooks: [hook] });
  expect(await call('EditFile', EDIT)).toContain('it is Friday');
  expect(await call('ReadFile', { path: '/project/a.txt' })).toContain('mind the gap');
  expect(heard).toEqual(['ReadFile']);
});

test('what a backend cannot do is not offered, and a call of it learns why', async () => {
  const { toolbox, call } = open();
  const names = toolbox.toAPIFormat('anthropic').map(({ name }) => name);
  expect(names).not.toContain('Bash');
  expect(names).not.toContain('GitStatus');
  expect(names).not.toContain('WebFetch');
  expect(await call('Bash', { command: 'ls' })).toContain('disabled here by the lack of a shell: this backend runs no commands');
});

test('a command in the background is read and ended by the tools of every shell', async () => {
  const runCommand: NonNullable<MemoryBackendOptions['runCommand']> = async ({ signal, write }) => {
    write('up\n');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 0;
  };
  const { call } = open({ permissions: { allow: ['Bash(serve)'] } }, { runCommand });
  expect(await call('Bash', { command: 'serve', run_in_background: true })).toContain('Started job_1');
  expect(await call('BashOutput', { job_id: 'job_1' })).toBe('<output>\nup\n</output>\njob_1 (serve) is running.');
  expect(await call('BashKill', { job_id: 'job_1' })).toContain('was ended');
});

test('commands elsewhere ask, also those that look like reading; plan mode and what is unclear are refused', async () => {
  const runCommand = async (): Promise<number> => 0;
  const denied = async (permissions: NonNullable<ToolboxOptions['permissions']>, command: string): Promise<boolean> =>
    (await open({ permissions }, { runCommand }).toolbox.call('Bash', { command })).isError;
  expect({
    reading: await denied({}, 'cat a.txt'),
    edits: await denied({ mode: 'acceptEdits' }, 'touch b.txt'),
    plan: await denied({ mode: 'plan' }, 'cat a.txt'),
    bypass: await denied({ mode: 'bypassPermissions' }, 'rm -rf .'),
    rule: await denied({ allow: ['Bash(npm test)'] }, 'npm test'),
    more: await denied({ allow: ['Bash(npm test)'] }, 'npm test; rm -rf .'),
    unclear: await denied({ allow: ['Bash(npm test:*)'] }, 'npm test $(rm -rf .)'),
    refused: await denied({ mode: 'bypassPermissions', deny: ['Bash(rm:*)'] }, 'rm -rf .'),
  }).toEqual({ reading: true, edits: true, plan: true, bypass: false, rule: false, more: true, unclear: true, refused: true });
});

test('a rule that is none is told at once', () => {
  expect(() => open({ permissions: { deny: ['Bsh(rm)'] } })).toThrow(
    expect.objectContaining({ code: 'misuse', message: expect.stringContaining('Bsh(rm)') }),
  );
});

test('a call whose input is no JSON, and one that is aborted, are answered', async () => {
  const { toolbox } = open();
  const [broken] = await toolbox.callAll([{ name: 'ReadFile', input: null, malformedInput: '{"path":' }]);
  expect([broken?.isError, textOf(broken?.content ?? [])]).toEqual([true, expect.stringContaining('not a complete JSON object')]);
  const aborted = await toolbox.call('ReadFile', { path: '/project/a.txt' }, AbortSignal.abort());
  expect([aborted.isError, textOf(aborted.content)]).toEqual([true, expect.stringContaining('Interrupted')]);
});

test('what happens is told as it happens', async () => {
  const events: AgentEventBody['type'][] = [];
  await open({ onEvent: ({ type }) => void events.push(type) }).call('ReadFile', { path: '/project/a.txt' });
  expect(events).toEqual(['permission_decided', 'tool_start', 'tool_result']);
});

test('a page is read through the port of the web, where a rule allows its domain', async () => {
  const web: WebAccess = {
    fetch: async (url) => ({ type: 'page', url, status: 200, contentType: 'text/plain', text: 'hello web', isCut: false }),
  };
  const registry = setupTools(createRegistry(), { allowWeb: true });
  const permissions = { allow: ['WebFetch(domain:example.com)'] };
  const toolbox = createToolbox({ backend: { ...createMemoryBackend(), web }, registry, permissions });
  const read = async (url: string): Promise<string> => textOf((await toolbox.call('WebFetch', { url })).content);
  expect(await read('https://example.com/')).toContain('hello web');
  expect(await read('https://example.org/')).toContain('it needs a permission');
});
