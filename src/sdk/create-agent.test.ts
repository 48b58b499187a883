import { expect, test } from 'vitest';
import { collectRun, createAgent, createMemoryBackend, createScriptedProvider } from '../index.ts';

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
