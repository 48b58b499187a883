import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../../test/agent-harness.ts';
import { createRoutedModel } from '../../../test/routed-model.ts';
import { type AgentEvent, isOfSubAgent } from '../../core/agent-event.ts';
import { defineTool } from '../../core/define-tool.ts';
import { NO_USAGE, type Provider } from '../../core/model.ts';
import { succeed } from '../../core/tool-result.ts';
import type { Tool } from '../../core/tool.ts';
import { createTaskTool } from '../../tools/task.ts';

let project: TestProject;
afterEach(() => project.remove());

const TASK = createTaskTool() as Tool;
const DONE = { text: 'done' };

const task = (prompt: string, more: object = {}) => ({ name: 'Task', input: { description: `do ${prompt}`, prompt, ...more } });
const mainEvents = (events: readonly AgentEvent[]) => events.filter((event) => !isOfSubAgent(event));
const subEvents = (events: readonly AgentEvent[]) => events.filter((event) => isOfSubAgent(event));
const resultsOfMain = (events: readonly AgentEvent[]) => resultsOf(mainEvents(events));

describe('a sub-agent', () => {
  test('works with tools of its parent, and its last message is the result of the call', async () => {
    project = createProject({ 'a.txt': 'alpha\n' });
    const model = createRoutedModel({
      go: [{ calls: [{ ...task('look'), id: 'toolu_main' }] }, DONE],
      look: [
        { text: 'I look.', calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') }, id: 'toolu_sub' }] },
        { text: 'It says alpha.' },
      ],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    expect(resultsOfMain(events)).toEqual([{ text: 'It says alpha.', isError: false }]);
    expect(subEvents(events).map(({ agentId }) => agentId)).toEqual(subEvents(events).map(() => 'toolu_main'));
    expect(resultsOf(subEvents(events))).toEqual([{ text: '1\talpha', isError: false }]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
    expect(
      mainEvents(events).flatMap((event) => (event.type === 'tool_progress' ? [[event.toolUseId, event.text]] : [])),
    ).toEqual([['toolu_main', `ReadFile ${project.path('a.txt')}\n`]]);
  });

  test('knows nothing of the conversation, and is told what it is', async () => {
    project = createProject();
    const model = createRoutedModel({ go: [{ calls: [task('look')] }, DONE], look: [{ text: 'seen' }] });
    await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    const [request] = model.requestsOf('look');
    expect(request?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'look' }] }]);
    expect(request?.system).toMatch(/^You are a test\.\n\nYou are a sub-agent/);
  });

  test('has no plan and no sub-agents of its own, and only the tools that it was given', async () => {
    project = createProject();
    const model = createRoutedModel({
      go: [{ calls: [task('all'), task('few', { tools: ['Grep', 'read_file'] })] }, DONE],
      all: [{ calls: [task('deeper')] }, { text: 'no' }],
      few: [{ calls: [{ name: 'Bash', input: { command: 'touch made' } }] }, { text: 'no' }],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    const offered = (prompt: string) => model.requestsOf(prompt)[0]?.tools.map(({ name }) => name) ?? [];
    expect(offered('all')).toEqual(offered('go').filter((name) => !/Todo|Task/.test(name)));
    expect(offered('few')).toEqual(['ReadFile', 'Grep']);
    expect(resultsOf(subEvents(events)).map(({ text }) => text.split('.')[0])).toEqual([
      'There is no tool "Task"',
      'There is no tool "Bash"',
    ]);
    expect(existsSync(project.path('made'))).toBe(false);
  });

  test('a tool that its parent does not have is named, and nothing starts', async () => {
    project = createProject();
    const model = createRoutedModel({ go: [{ calls: [task('look', { tools: ['Grep', 'Teleport', 'CreateTodos'] })] }, DONE] });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    expect(resultsOfMain(events)[0]?.text).toMatch(
      /^Task was not run: a sub-agent cannot have Teleport, CreateTodos\. It can have: ReadFile, .*GitDiff\.$/,
    );
  });

  test('what it has read its parent has not seen', async () => {
    project = createProject({ 'a.txt': 'alpha\n' });
    const path = project.path('a.txt');
    const model = createRoutedModel({
      go: [{ calls: [task('look')] }, { calls: [{ name: 'WriteFile', input: { path, content: 'beta\n' } }] }, DONE],
      look: [
        { calls: [{ name: 'ReadFile', input: { path } }] },
        { calls: [{ name: 'WriteFile', input: { path, content: 'gamma\n' } }] },
        DONE,
      ],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    expect(resultsOfMain(events)[1]).toMatchObject({ isError: true });
    expect(readFileSync(path, 'utf8')).toBe('gamma\n');
  });
});

describe('the gate', () => {
  test('asks for a call of a sub-agent through its parent, and says for whom', async () => {
    project = createProject();
    const model = createRoutedModel({
      go: [{ calls: [task('make')] }, DONE],
      make: [
        { calls: [{ name: 'WriteFile', input: { path: project.path('a.txt'), content: 'a\n' }, id: 'toolu_write' }] },
        { text: 'made' },
      ],
    });
    const agent = createTestAgent(project, model, { extraTools: [TASK], mode: 'default', canAsk: true });
    const asked: AgentEvent[] = [];
    const events = await runToEnd(agent, 'go', (event) => {
      if (event.type !== 'permission_request') return;
      asked.push(event);
      agent.answer(event.requestId, { type: 'allow', scope: 'once' });
    });
    expect(asked).toMatchObject([
      {
        toolUseId: 'toolu_write',
        agentId: 'toolu_1_1',
        name: 'WriteFile',
        details: expect.arrayContaining(['for the sub-agent: do make']),
      },
    ]);
    expect(resultsOfMain(events)).toEqual([{ text: 'made', isError: false }]);
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('a\n');
  });

  test('refuses a sub-agent what its parent may not do', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const model = createRoutedModel({
      go: [{ calls: [task('make')] }, DONE],
      make: [{ calls: [{ name: 'Bash', input: { command: 'rm a.txt' } }] }, { text: 'not allowed' }],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK], mode: 'default' }), 'go');
    expect(resultsOf(subEvents(events))).toMatchObject([{ isError: true, text: expect.stringContaining('nobody can be asked') }]);
    expect(existsSync(project.path('a.txt'))).toBe(true);
  });

  test('lets a rule forbid sub-agents', async () => {
    project = createProject();
    const model = createRoutedModel({ go: [{ calls: [task('look')] }, DONE] });
    const rules = [{ behavior: 'deny', tool: 'Task', specifier: null, scope: 'user', origin: 'settings.json' }] as const;
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK], rules }), 'go');
    expect(resultsOfMain(events)).toMatchObject([{ isError: true, text: expect.stringContaining('the rule Task') }]);
  });

  test('lets them read in plan mode, and change nothing', async () => {
    project = createProject({ 'a.txt': 'alpha\n' });
    const path = project.path('a.txt');
    const model = createRoutedModel({
      go: [{ calls: [task('look')] }, DONE],
      look: [
        {
          calls: [
            { name: 'ReadFile', input: { path } },
            { name: 'Bash', input: { command: 'rm a.txt' } },
          ],
        },
        { text: 'seen' },
      ],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK], mode: 'plan' }), 'go');
    expect(resultsOf(subEvents(events))).toMatchObject([{ isError: false }, { isError: true }]);
    expect(resultsOfMain(events)).toEqual([{ text: 'seen', isError: false }]);
  });
});

describe('several sub-agents', () => {
  test('of one message work at the same time', async () => {
    project = createProject();
    // Each waits for the other, so that they can end only if both run at once.
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    const meet = defineTool({
      name: 'Meet',
      description: 'Waits for its twin.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false } as const,
      isReadOnly: true,
      isDestructive: false,
      isConcurrencySafe: true,
      footprint: () => ({ extent: 'listed', reads: [], writes: [] }),
      execute: async () => {
        if (++arrived === 2) both.resolve();
        await both.promise;
        return succeed('met');
      },
    });
    const script = [{ calls: [{ name: 'Meet' }] }, { text: 'met' }];
    const model = createRoutedModel({ go: [{ calls: [task('one'), task('two')] }, DONE], one: script, two: script });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK, meet] }), 'go');
    expect(resultsOfMain(events)).toEqual([
      { text: 'met', isError: false },
      { text: 'met', isError: false },
    ]);
  });

  test('and their parent change things one after the other', async () => {
    project = createProject();
    const calls = (name: string) => [
      { calls: [{ name: 'Bash', input: { command: `echo ${name} >> log; sleep 0.05; echo ${name} >> log` } }] },
      DONE,
    ];
    const model = createRoutedModel({
      go: [
        {
          calls: [
            task('one'),
            task('two'),
            { name: 'Bash', input: { command: 'echo main >> log; sleep 0.05; echo main >> log' } },
          ],
        },
        DONE,
      ],
      one: calls('one'),
      two: calls('two'),
    });
    await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    const lines = readFileSync(project.path('log'), 'utf8').trim().split('\n');
    expect(lines.toSorted()).toEqual(['main', 'main', 'one', 'one', 'two', 'two']);
    expect(lines.filter((line, i) => i % 2 === 0 && lines[i + 1] !== line)).toEqual([]);
  });

  test('have calls of different ids, also where a model repeats them', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const read = { name: 'ReadFile', input: { path: project.path('a.txt') }, id: 'call_1' };
    const script = [{ calls: [read] }, DONE];
    const model = createRoutedModel({
      go: [{ calls: [task('one'), task('two')] }, { calls: [read] }, DONE],
      one: script,
      two: script,
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    const ids = events.flatMap((event) => (event.type === 'tool_result' ? [event.toolUseId] : []));
    expect(new Set(ids).size).toBe(5);
    expect(ids).toHaveLength(5);
  });
});

describe('the end of a sub-agent', () => {
  test('comes with its parent, when the run is aborted', async () => {
    project = createProject();
    const model = createRoutedModel({
      go: [{ calls: [task('wait')] }, DONE],
      wait: [{ calls: [{ name: 'Bash', input: { command: 'sleep 60' } }] }, { text: 'never' }],
    });
    const abort = new AbortController();
    const agent = createTestAgent(project, model, { extraTools: [TASK] });
    const events = await runToEnd(
      agent,
      'go',
      (event) => {
        if (event.type === 'tool_start' && event.name === 'Bash') setTimeout(() => abort.abort(), 100);
      },
      abort.signal,
    );
    expect(resultsOfMain(events)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^Interrupted by the person after 1 call/) },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'aborted', agentId: 'main' });
    expect(model.requestsOf('wait')).toHaveLength(1);
  });

  test('comes at its limit of turns, with its last words', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const again = { text: 'Still at it.', calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') } }] };
    const model = createRoutedModel({ go: [{ calls: [task('long', { max_turns: 2 })] }, DONE], long: [again, again, again] });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    expect(resultsOfMain(events)).toEqual([
      {
        text: 'The sub-agent was stopped at its limit of 2 turns, after 2 calls; what those changed stays. Give the rest to new ones in smaller pieces, or go on yourself.\n\nIts last words:\nStill at it.',
        isError: true,
      },
    ]);
  });

  test('comes at the limit of turns of its run, where that is lower', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const again = { calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') } }] };
    const model = createRoutedModel({ go: [{ calls: [task('long')] }, DONE], long: [again, again, again, again] });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK], maxTurns: 3 }), 'go');
    expect(resultsOfMain(events)).toMatchObject([{ isError: true, text: expect.stringContaining('its limit of 3 turns') }]);
  });

  test('comes at its budget of tokens, which its parent pays', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const again = { calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') } }] };
    const model = metered(createRoutedModel({ go: [{ calls: [task('long')] }, DONE], long: [again, again, again, DONE] }), 400);
    const agent = createTestAgent(project, model, { extraTools: [TASK], limits: { maxTokens: 1000 } });
    const events = await runToEnd(agent, 'go');
    expect(resultsOfMain(events)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^The sub-agent was stopped at its budget of tokens, after 3 calls/) },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done', turns: 2, usage: { outputTokens: 5 * 400 } });
  });

  test('with a failure of its model is a result that its parent can go on from', async () => {
    project = createProject();
    const error = { kind: 'overloaded', message: 'Too many requests.', status: 529 } as const;
    const model = createRoutedModel({ go: [{ calls: [task('fail')] }, DONE], fail: [{ error }] });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go');
    expect(resultsOfMain(events)).toMatchObject([
      { isError: true, text: expect.stringMatching(/^The sub-agent failed after 0 calls; .*Too many requests/) },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });

  test('makes room for one that waits', async () => {
    project = createProject();
    const model = createRoutedModel({
      go: [{ calls: [task('one'), task('two'), task('three')] }, DONE],
      one: [DONE],
      two: [DONE],
      three: [DONE],
    });
    const events = await runToEnd(createTestAgent(project, model, { extraTools: [TASK], limits: { maxAtOnce: 1 } }), 'go');
    expect(resultsOfMain(events).map(({ text }) => text)).toEqual(['done', 'done', 'done']);
    expect(events.filter((event) => event.type === 'tool_progress')).toHaveLength(2);
  });

  test('with a report that is too long keeps its beginning and its end', async () => {
    project = createProject();
    const text = `begin ${'x'.repeat(100_000)} end`;
    const model = createRoutedModel({ go: [{ calls: [task('talk')] }, DONE], talk: [{ text }] });
    const [result] = resultsOfMain(await runToEnd(createTestAgent(project, model, { extraTools: [TASK] }), 'go'));
    expect(result?.text.length).toBeLessThan(41_000);
    expect(result?.text).toMatch(/^begin x+\n\[… \d+ characters of the report left out …\]\nx+ end$/);
  });
});

/** The same model, each of whose answers takes so many tokens. */
function metered(model: Provider, outputTokens: number): Provider {
  return {
    ...model,
    async *stream(request) {
      for await (const event of model.stream(request))
        yield event.type === 'message_end' ? { ...event, usage: { ...NO_USAGE, outputTokens } } : event;
    },
  };
}
