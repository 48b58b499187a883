import { expect, test } from 'vitest';
import { createTaskTool } from '../tools/task.ts';
import { createProject } from '../../test/agent-harness.ts';
import {
  type AgentOptions,
  collectRun,
  createAgent,
  createMemoryBackend,
  createRegistry,
  createScriptedProvider,
  type Message,
  type SearchAccess,
  setupTools,
  textOf,
} from '../index.ts';

test('ten lines give an agent that works without a disk', async () => {
  const backend = createMemoryBackend({ files: { 'config.json': '{ "port": 5433 }\n' } });
  const provider = createScriptedProvider([
    { calls: [{ name: 'ReadFile', input: { path: '/project/config.json' } }] },
    { text: 'Port 5433.' },
  ]);
  await using agent = createAgent({ provider, backend });
  expect(await collectRun(agent.run('What port?'))).toMatchObject({ text: 'Port 5433.', outcome: 'done', turns: 2, denials: [] });
  expect(provider.requests[1]?.messages.at(-1)?.content).toEqual([
    { type: 'tool_result', toolUseId: 'toolu_1_1', content: [{ type: 'text', text: '1\t{ "port": 5433 }' }], isError: false },
  ]);
});

test('a question of a run is answered through the agent', async () => {
  const backend = createMemoryBackend({ files: { 'a.txt': 'alpha\n' } });
  const edit = { name: 'EditFile', input: { path: '/project/a.txt', old_string: 'alpha', new_string: 'beta' } };
  const provider = createScriptedProvider([{ calls: [edit] }, { text: 'done' }]);
  const registry = setupTools(createRegistry(), { allowWrite: true });
  await using agent = createAgent({ provider, backend, registry, canAsk: true });
  const { denials } = await collectRun(agent.run('go'), (event) => {
    if (event.type === 'permission_request') agent.answer(event.requestId, { type: 'allow', scope: 'once' });
  });
  expect([denials, backend.files.texts()]).toEqual([[], { '/project/a.txt': 'beta\n' }]);
});

test('one conversation goes on over several runs, and over a history that was kept', async () => {
  const backend = createMemoryBackend();
  const first = createScriptedProvider([{ text: 'One.' }, { text: 'Two.' }]);
  const kept: Message[] = [];
  await using agent = createAgent({ provider: first, backend });
  for (const prompt of ['a', 'b'])
    await collectRun(agent.run(prompt), (event) => {
      if (event.type === 'message_added') kept.push(event.message);
    });
  expect(first.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  const second = createScriptedProvider([{ text: 'Three.' }]);
  await using resumed = createAgent({ provider: second, backend, history: kept, system: 'You count.' });
  await collectRun(resumed.run('c'));
  expect(second.requests[0]).toMatchObject({ system: 'You count.' });
  expect(second.requests[0]?.messages.map(({ content }) => textOf(content))).toEqual(['a', 'One.', 'b', 'Two.', 'c']);
});

test('one port of a backend can be replaced, and the others stay', async () => {
  const memory = createMemoryBackend({ files: { 'a.txt': 'alpha\n' } });
  const asked: string[] = [];
  const search: SearchAccess = {
    ...memory.search,
    grep: async (request) => {
      asked.push(request.pattern);
      return memory.search.grep(request);
    },
  };
  const provider = createScriptedProvider([{ calls: [{ name: 'Grep', input: { pattern: 'alpha' } }] }, { text: 'done' }]);
  await using agent = createAgent({ provider, backend: { ...memory, search } });
  await collectRun(agent.run('go'));
  expect(asked).toEqual(['alpha']);
  expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('a.txt:1: alpha');
});

test('on this machine an agent reads the folder that it was given, and ends with what it started', async () => {
  const project = createProject({ 'a.txt': 'alpha\n' });
  const provider = createScriptedProvider([
    {
      calls: [
        { name: 'ReadFile', input: { path: project.path('a.txt') } },
        { name: 'ReadFile', input: { path: '/etc/hostname' } },
      ],
    },
    { text: 'done' },
  ]);
  await using agent = createAgent({ provider, cwd: project.root });
  const { denials } = await collectRun(agent.run('go'));
  project.remove();
  expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('alpha');
  expect(denials).toEqual([
    { toolUseId: 'toolu_1_2', name: 'ReadFile', because: expect.stringContaining('outside the workspace') },
  ]);
});

test('a program without types is told what it left out', () => {
  const provider = createScriptedProvider([]);
  const forgotten = [{ provider }, { cwd: '/tmp' }, { cwd: '/tmp', provider: Promise.resolve(provider) }];
  for (const options of forgotten)
    expect(() => createAgent(options as unknown as AgentOptions)).toThrow(expect.objectContaining({ code: 'misuse' }));
});

test('a folder that is not there is told with what to do', () => {
  expect(() => createAgent({ provider: createScriptedProvider([]), cwd: '/no/such/folder' })).toThrow(
    expect.objectContaining({ code: 'folder_missing' }),
  );
});

test('a sub-agent works on the same backend and reports', async () => {
  const backend = createMemoryBackend({ files: { 'a.txt': 'alpha\n' } });
  const helper = createScriptedProvider([
    { calls: [{ name: 'ReadFile', input: { path: '/project/a.txt' } }] },
    { text: 'It says alpha.' },
  ]);
  const provider = createScriptedProvider([
    { calls: [{ name: 'Task', input: { description: 'read a file', prompt: 'What does /project/a.txt say?' } }] },
    { text: 'Alpha, I hear.' },
  ]);
  const registry = setupTools(createRegistry()).register(createTaskTool());
  await using agent = createAgent({ provider, backend, registry, subAgents: { providerFor: () => helper } });
  const agents = new Set<string>();
  const { text } = await collectRun(agent.run('go'), ({ agentId }) => void agents.add(agentId));
  expect([text, agents.size]).toEqual(['Alpha, I hear.', 2]);
  expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('It says alpha.');
});
