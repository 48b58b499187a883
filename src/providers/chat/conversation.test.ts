import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../../test/agent-harness.ts';
import { type ChatReply, type ChatServer, startChatServer } from '../../../test/loopback/chat-server.ts';
import type { AgentEvent } from '../../core/agent-event.ts';
import type { Provider } from '../../core/model.ts';
import { createOpenAIChatProvider, type OpenAIChatOptions } from './provider.ts';

let server: ChatServer | null = null;
let project: TestProject | null = null;

afterEach(async () => {
  await server?.close();
  project?.remove();
});

/** Runs an agent on a project with two files, against a server with this script. */
async function run(
  script: (root: string) => readonly ChatReply[],
  options: Partial<OpenAIChatOptions> = {},
): Promise<AgentEvent[]> {
  project = createProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
  server = await startChatServer(script(project.root), options.quirks);
  return runToEnd(createTestAgent(project, providerOf(server, options)), 'Look at a.txt and b.txt.');
}

function providerOf({ baseUrl }: ChatServer, options: Partial<OpenAIChatOptions>): Provider {
  const retry = { retries: 0, baseDelayMs: 1, maxDelayMs: 1 };
  return createOpenAIChatProvider({ id: 'loopback', baseUrl, apiKey: 'secret', retry, ...options });
}

const read = (path: string, id?: string) => ({ name: 'ReadFile', input: { path }, ...(id === undefined ? {} : { id }) });

function outcomeOf(events: readonly AgentEvent[]): unknown {
  const end = events.find((event) => event.type === 'run_end');
  return end?.type === 'run_end' ? end.outcome : null;
}

test('an agent reads two files and answers, over chat completions', async () => {
  const events = await run((root) => [
    { reasoning: 'Two files, two calls.', text: 'I look.', calls: [read(`${root}/a.txt`), read(`${root}/b.txt`)] },
    { text: 'alpha and beta' },
  ]);
  expect(server?.faults).toEqual([]);
  expect(resultsOf(events)).toMatchObject([
    { text: expect.stringContaining('alpha'), isError: false },
    { text: expect.stringContaining('beta'), isError: false },
  ]);
  expect(outcomeOf(events)).toBe('done');
  const [first, second] = server?.requests ?? [];
  expect(first).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer secret' } });
  expect(second?.body.messages.slice(2)).toMatchObject([
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Two files, two calls.',
      tool_calls: [{ id: 'call_1_0' }, { id: 'call_1_1' }],
    },
    { role: 'tool', tool_call_id: 'call_1_0', content: expect.stringContaining('alpha') },
    { role: 'tool', tool_call_id: 'call_1_1', content: expect.stringContaining('beta') },
  ]);
});

test('ids that a server uses again in each turn do not meet', async () => {
  const events = await run((root) => [
    { calls: [read(`${root}/a.txt`, 'call_0')] },
    { calls: [read(`${root}/b.txt`, 'call_0')] },
    { text: 'done' },
  ]);
  expect(server?.faults).toEqual([]);
  expect(resultsOf(events).map(({ isError }) => isError)).toEqual([false, false]);
});

test('as Azure wants it: the version in the query, the key in a header of its own', async () => {
  const quirks = { query: { 'api-version': '2026-01-01' }, keyHeader: 'api-key' };
  await run(() => [{ text: 'hi' }], { quirks, headers: { 'x-extra': '1' } });
  expect(server?.requests[0]).toMatchObject({
    path: '/v1/chat/completions?api-version=2026-01-01',
    headers: { 'api-key': 'secret', 'x-extra': '1' },
  });
  expect(server?.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('as Mistral wants it: short ids, which the strict server checks', async () => {
  const quirks = { callIds: 'mistral', allowsUserAfterTool: false } as const;
  const events = await run((root) => [{ calls: [read(`${root}/a.txt`)] }, { text: 'done' }], { quirks });
  expect(server?.requests).toHaveLength(2);
  expect(server?.faults).toEqual([]);
  expect(outcomeOf(events)).toBe('done');
});

test('a call that was cut by length is not run, and the model is told', async () => {
  const write = (root: string) => ({ name: 'WriteFile', json: JSON.stringify({ path: `${root}/c.txt`, content: 'x' }) });
  const events = await run((root) => [{ calls: [write(root)], finishReason: 'length' }, { text: 'sorry' }]);
  expect(server?.faults).toEqual([]);
  expect(resultsOf(events)).toMatchObject([{ isError: true, text: expect.stringContaining('cut at the output limit') }]);
  expect(events.some((event) => event.type === 'tool_start')).toBe(false);
});

test('an answer that breaks in the middle is asked for again, and nothing of it runs', async () => {
  const write = (root: string) => ({ name: 'WriteFile', input: { path: `${root}/c.txt`, content: 'x' } });
  const events = await run((root) => [{ calls: [write(root)], dropAfter: 4 }, { text: 'now' }]);
  expect(server?.requests).toHaveLength(2);
  expect(events.find((event) => event.type === 'message_replaced')).toBeDefined();
  expect(resultsOf(events)).toEqual([]);
  expect(outcomeOf(events)).toBe('done');
});

test('a refused request ends the run with the words of the server', async () => {
  const events = await run(() => [{ status: 401, error: { code: 'invalid_api_key', message: 'Incorrect API key provided' } }]);
  expect(events.find((event) => event.type === 'error')).toMatchObject({
    error: { code: 'model_key_rejected', message: 'Incorrect API key provided (HTTP 401)' },
  });
  expect(outcomeOf(events)).toBe('failed');
});
