import { copyFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, runToEnd, type TestProject } from '../../../test/agent-harness.ts';
import { type CompactingAgentOptions, createCompactingAgent, withUsage } from '../../../test/compacting-agent.ts';
import type { AgentEvent } from '../../core/agent-event.ts';
import { textOf } from '../../core/message.ts';
import type { ModelRequest } from '../../core/model.ts';
import { createScriptedProvider, type ScriptedReply } from '../../providers/scripted.ts';
import { readSession } from '../../sessions/read-session.ts';
import { openSessionLog } from '../../sessions/session-log.ts';

const OVERFLOW: ScriptedReply = { error: { kind: 'context_overflow', message: 'prompt is too long', status: 400 } };
const SUMMARY: ScriptedReply = { text: 'Two files were read.' };

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
});
afterEach(() => project.remove());

const read = (name: string): ScriptedReply => ({ calls: [{ name: 'ReadFile', input: { path: project.path(name) } }] });

async function run(script: Parameters<typeof createScriptedProvider>[0], options: CompactingAgentOptions = {}) {
  const provider = createScriptedProvider(script);
  const events = await runToEnd(createCompactingAgent(project, provider, options), 'Read them.');
  return { events, requests: provider.requests, compactions: compactionsIn(events) };
}

function compactionsIn(events: readonly AgentEvent[]) {
  return events.filter((event) => event.type === 'compacted');
}

function firstText({ messages }: ModelRequest): string {
  return textOf(messages[0]?.content ?? []);
}

describe('a conversation that a provider refuses as too long', () => {
  test('is summarised by the model and asked for once more', async () => {
    const { events, requests, compactions } = await run([read('a.txt'), read('b.txt'), OVERFLOW, SUMMARY, { text: 'ok' }]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    expect(compactions).toMatchObject([{ by: 'model', keptMessages: 0, reason: 'the model refused it as too long' }]);
    expect(requests).toHaveLength(5);
    expect(requests[3]).toMatchObject({ tools: requests[2]?.tools, system: requests[2]?.system, maxOutputTokens: 8000 });
    expect(textOf(requests[3]?.messages.at(-1)?.content ?? [])).toMatch(/call no tool/);
    expect(requests[4]?.messages.map(({ role }) => role)).toEqual(['user']);
    expect(firstText(requests[4] as ModelRequest)).toMatch(/^Read them\.\n.*<summary>\nTwo files were read\.\n<\/summary>/s);
  });

  test('keeps the last groups that fit', async () => {
    const script = [...Array<string>(6).fill('a.txt').map(read), OVERFLOW, SUMMARY, { text: 'ok' }];
    const { requests, compactions } = await run(script);
    expect(compactions).toMatchObject([{ keptMessages: 2 }]);
    expect(requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(requests.at(-1)?.messages.slice(1)).toEqual(requests[6]?.messages.slice(-2));
  });

  test('is given up when it is refused again', async () => {
    const { events, requests } = await run([read('a.txt'), OVERFLOW, SUMMARY, OVERFLOW, { text: 'never' }]);
    expect(requests).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
    expect(events.find((event) => event.type === 'error')).toMatchObject({ error: { code: 'model_context_full' } });
  });

  test('is given up at once where there is nothing to take out', async () => {
    const { events, requests, compactions } = await run([OVERFLOW]);
    expect([requests.length, compactions]).toEqual([1, []]);
    expect(events.find((event) => event.type === 'error')).toMatchObject({ error: { code: 'model_context_full' } });
  });

  test('also where the answer filled the context: what came of it is dropped', async () => {
    const full: ScriptedReply = { text: 'I was about to', stopReason: 'context_overflow' };
    const { events, requests } = await run([read('a.txt'), full, SUMMARY, { text: 'ok' }]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    expect(events.filter((event) => event.type === 'message_replaced')).toHaveLength(1);
    expect(JSON.stringify(requests.at(-1))).not.toContain('about to');
  });

  test('ends quietly where the run is aborted meanwhile', async () => {
    const stop = new AbortController();
    const provider = createScriptedProvider([read('a.txt'), OVERFLOW, () => (stop.abort(), SUMMARY)]);
    const agent = createCompactingAgent(project, provider);
    const events = await runToEnd(agent, 'Read them.', () => undefined, stop.signal);
    expect(compactionsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'aborted' });
  });
});

describe('the summary', () => {
  const failures: readonly (readonly [string, ScriptedReply])[] = [
    ['fails', OVERFLOW],
    ['is cut', { text: 'Two fi', stopReason: 'max_tokens' }],
    ['has no text', { calls: [{ name: 'ReadFile', input: { path: '/a' } }] }],
  ];
  test.each(failures)('comes from the record where the one of the model %s', async (_how, failure) => {
    const work: ScriptedReply = { calls: [{ name: 'Bash', input: { command: 'echo "<exit_code>0</exit_code>"; exit 3' } }] };
    const write: ScriptedReply = { calls: [{ name: 'WriteFile', input: { path: project.path('c.txt'), content: 'c' } }] };
    const { compactions } = await run([read('a.txt'), read('none.txt'), work, write, OVERFLOW, failure, { text: 'ok' }]);
    const [{ by, summary } = { by: null, summary: '' }] = compactions;
    expect(by).toBe('record');
    expect(summary.replaceAll(project.root, 'ROOT')).toMatchInlineSnapshot(`
      "The conversation after the first prompt had become too long; up to here this summary stands in its place. What files hold is no longer in view: read again what you need.

      <summary>
      Commands that ran:
      - echo "<exit_code>0</exit_code>"; exit 3 → exit code 3
      </summary>

      From the record of the session:

      Files that were changed:
      - ROOT/c.txt

      Files that were only read:
      - ROOT/a.txt"
    `);
  });

  test('holds the plan, what runs in the background, and the last prompt that goes', async () => {
    const todos: ScriptedReply = {
      calls: [{ name: 'CreateTodos', input: { todos: [{ content: 'look' }, { content: 'tell' }] } }],
    };
    const provider = createScriptedProvider([{ text: 'Yes?' }, todos, OVERFLOW, SUMMARY, { text: 'ok' }]);
    const job = { id: 'job_1', command: 'npm run dev', state: 'running', exitCode: null } as const;
    const jobs = [job, { ...job, id: 'job_2', command: 'old', state: 'exited', exitCode: 0 } as const];
    const agent = createCompactingAgent(project, provider, { jobs });
    await runToEnd(agent, 'Hello.');
    const [compacted] = compactionsIn(await runToEnd(agent, 'Plan it, in two steps.'));
    expect(compacted?.summary.split('From the record of the session:\n\n')[1]).toMatchInlineSnapshot(`
      "The plan:
      2 todos: 2 pending
      [ ] 1. look
      [ ] 2. tell

      Background jobs that still run:
      - job_1: npm run dev

      The last thing that the person wrote before this point:
      Plan it, in two steps."
    `);
  });

  test('runs no call that the model makes beside it', async () => {
    const both: ScriptedReply = { ...SUMMARY, calls: [{ name: 'Bash', input: { command: 'touch ran' } }] };
    const { events, compactions } = await run([read('a.txt'), OVERFLOW, both, { text: 'ok' }]);
    expect(compactions).toMatchObject([{ by: 'model' }]);
    expect(events.filter((event) => event.type === 'tool_start')).toHaveLength(1);
    expect(events.some((event) => event.type === 'model' && JSON.stringify(event).includes('Two files'))).toBe(false);
  });
});

describe('a conversation that is nearly too long for a model whose context is known', () => {
  test('is compacted before the next request, by what the provider told of it', async () => {
    const script = createScriptedProvider([read('a.txt'), SUMMARY, { text: 'ok' }]);
    const provider = withUsage(script, [{ inputTokens: 9_000, cacheReadTokens: 8_000, outputTokens: 10 }]);
    const events = await runToEnd(createCompactingAgent(project, provider, { contextTokens: 20_000 }), 'Read them.');
    expect(compactionsIn(events)).toMatchObject([{ by: 'model', reason: 'about 17,012 of 20,000 tokens are used' }]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });

  test('is compacted by an estimate where the provider tells nothing, without the model where it is too long for that too', async () => {
    project.remove();
    project = createProject({ 'a.txt': 'many words in a line\n'.repeat(1000) });
    const { requests, compactions } = await run([read('a.txt'), { text: 'ok' }], { contextTokens: 9_000 });
    expect(compactions).toMatchObject([{ by: 'record' }]);
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.messages).length).toBeLessThan(2000);
  });

  test('is left alone while it fits', async () => {
    expect((await run([read('a.txt'), { text: 'ok' }], { contextTokens: 20_000 })).compactions).toEqual([]);
  });
});

test('a session that was compacted and resumed sends the bytes that it would have sent, and keeps every message', async () => {
  const path = project.path('.state/s.jsonl');
  const header = { type: 'session', version: 1, id: 's', cwd: project.root, model: 'm', createdAt: 'now' } as const;
  const log = openSessionLog(path, header);
  const script = [...Array<string>(5).fill('a.txt').map(read), OVERFLOW, SUMMARY, { text: 'ok' }, { text: 'yes' }];
  const provider = createScriptedProvider(script);
  const agent = createCompactingAgent(project, provider, { log });
  await runToEnd(agent, 'Read them.');
  const copy = project.path('.state/copy.jsonl');
  copyFileSync(path, copy);
  await runToEnd(agent, 'More?');
  await log.close();

  const { messages, compaction, notices } = await readSession(copy);
  expect([messages.length, notices]).toEqual([12, []]);
  const second = createScriptedProvider([{ text: 'yes' }]);
  await runToEnd(createCompactingAgent(project, second, { history: messages, compaction }), 'More?');
  expect(JSON.stringify(second.requests[0]?.messages)).toBe(JSON.stringify(provider.requests.at(-1)?.messages));
});

test('a turn counts the tries that broke and the summary too', async () => {
  const script = createScriptedProvider([read('a.txt'), OVERFLOW, SUMMARY, { text: 'ok' }]);
  const provider = withUsage(script, [{ inputTokens: 100 }, {}, { inputTokens: 1000, outputTokens: 10 }, { inputTokens: 50 }]);
  const price = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0, source: 's', date: '2026-11-30' };
  const events = await runToEnd(createCompactingAgent(project, provider, { price }), 'Read them.');
  const ends = events.filter((event) => event.type === 'turn_end');
  expect(ends.map(({ usage, cost }) => [usage.inputTokens, usage.outputTokens, cost])).toEqual([
    [100, 0, 0.0001],
    [1050, 10, 0.00115],
  ]);
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 1150, outputTokens: 10 }, cost: 0.00125 });
});

test('a person can have it done between runs: the next prompt goes on from the summary, and what is too short is left as it is', async () => {
  const provider = createScriptedProvider([read('a.txt'), read('b.txt'), { text: 'Read.' }, SUMMARY, { text: 'ok' }]);
  const agent = createCompactingAgent(project, provider);
  const early = await all(agent.compact());
  expect(early).toMatchObject([{ type: 'notice', text: expect.stringMatching(/^There is nothing to compact yet/) }]);
  await runToEnd(agent, 'Read them.');
  const events = await all(agent.compact());
  expect(compactionsIn(events)).toMatchObject([{ by: 'model', reason: 'you asked for it' }]);
  await runToEnd(agent, 'And now?');
  const sent = JSON.stringify(provider.requests.at(-1)?.messages);
  expect(sent).toContain('Two files were read.');
  expect(sent).not.toContain('alpha');
});

async function all(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
