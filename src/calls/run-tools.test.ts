import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { callOrder, createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import type { AgentEvent } from '../core/agent-event.ts';
import { defineTool } from '../core/define-tool.ts';
import { succeed } from '../core/tool-result.ts';
import { createScriptedProvider } from '../providers/scripted.ts';

let project: TestProject;
afterEach(() => project.remove());

const DONE = { text: 'done' };

describe('the order of calls', () => {
  test('two reads overlap', async () => {
    project = createProject({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    // Each waits for the other, so that they can end only if both run at once.
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    const meet = defineTool({
      name: 'Meet',
      description: 'Waits for its twin.',
      inputSchema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] } as const,
      isReadOnly: true,
      isDestructive: false,
      isConcurrencySafe: true,
      footprint: ({ file }) => ({ extent: 'listed', reads: [{ kind: 'file', path: project.path(file) }], writes: [] }),
      subject: ({ file }) => file,
      execute: async () => {
        arrived++;
        if (arrived === 2) both.resolve();
        await both.promise;
        return succeed('met');
      },
    });
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'Meet', input: { file: 'a.txt' }, id: 'one' },
          { name: 'Meet', input: { file: 'b.txt' }, id: 'two' },
        ],
      },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider, { extraTools: [meet] }), 'go');
    expect(callOrder(events).slice(0, 2)).toEqual(['start a.txt', 'start b.txt']);
    expect(resultsOf(events)).toEqual([
      { text: 'met', isError: false },
      { text: 'met', isError: false },
    ]);
  });

  test('an edit and a read of one file in one message: the read sees the new text', async () => {
    project = createProject({ 'a.txt': 'old\n' });
    const path = project.path('a.txt');
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'EditFile', input: { path, old_string: 'old', new_string: 'new' } },
          { name: 'ReadFile', input: { path } },
        ],
      },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events)[1]).toEqual({ text: '1\tnew', isError: false });
  });

  test('the read waits for the edit also while a person is asked about it, and a read of another file does not', async () => {
    project = createProject({ 'a.txt': 'old\n', 'b.txt': 'b\n' });
    const path = project.path('a.txt');
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'EditFile', input: { path, old_string: 'old', new_string: 'new' }, id: 'edit' },
          { name: 'ReadFile', input: { path }, id: 'read_a' },
          { name: 'ReadFile', input: { path: project.path('b.txt') }, id: 'read_b' },
        ],
      },
      DONE,
    ]);
    const agent = createTestAgent(project, provider, { mode: 'default', canAsk: true });
    let waitedFor = 2;
    const events = await runToEnd(agent, 'go', (event) => {
      // Answered only when the independent read has ended, whichever comes first.
      if (event.type === 'permission_request' || (event.type === 'tool_result' && event.toolUseId === 'read_b')) waitedFor--;
      if (waitedFor === 0) agent.answer('ask_1', { type: 'allow', scope: 'once' });
    });
    expect(callOrder(events)).toEqual(['start b.txt', 'end read_b', 'start a.txt', 'end edit', 'start a.txt', 'end read_a']);
    expect(resultsOf(events)[1]).toEqual({ text: '1\tnew', isError: false });
  });

  test('two edits of one file, one through a link, run one after the other and lose nothing', async () => {
    project = createProject({ 'a.txt': 'one two\n' });
    const { symlinkSync } = await import('node:fs');
    symlinkSync(project.path('a.txt'), project.path('link.txt'));
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'EditFile', input: { path: project.path('a.txt'), old_string: 'one', new_string: '1' }, id: 'first' },
          { name: 'EditFile', input: { path: project.path('link.txt'), old_string: 'two', new_string: '2' }, id: 'second' },
        ],
      },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(callOrder(events)).toEqual(['start a.txt', 'end first', 'start link.txt', 'end second']);
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('1 2\n');
  });

  test('a command runs alone: what comes after it waits', async () => {
    project = createProject({ 'a.txt': 'old\n' });
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'Bash', input: { command: 'sleep 0.2; echo new > a.txt' }, id: 'sh' },
          { name: 'ReadFile', input: { path: project.path('a.txt') }, id: 'read' },
        ],
      },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events)[1]).toEqual({ text: '1\tnew', isError: false });
  });

  test('a failed call cancels none of its siblings, and results stand in call order', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'ReadFile', input: { path: project.path('none') } },
          { name: 'Nope' },
          { name: 'ReadFile', input: { path: project.path('a.txt') } },
        ],
      },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events).map(({ isError }) => isError)).toEqual([true, true, false]);
  });
});

describe('when a call runs', () => {
  test('a read starts before the message has ended, also as a command; a write does not', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'ReadFile', input: { path: project.path('a.txt') }, id: 'read' },
          { name: 'Bash', input: { command: 'cat a.txt' }, id: 'cat' },
          { name: 'Bash', input: { command: 'touch b.txt' }, id: 'touch' },
        ],
      },
      DONE,
    ]);
    const slow = { ...provider, stream: slowed(provider.stream) };
    const events = await runToEnd(createTestAgent(project, slow), 'go');
    const at = (wanted: (event: AgentEvent) => boolean): number => events.findIndex(wanted);
    const messageAt = at((event) => event.type === 'message_added' && event.message.role === 'assistant');
    expect(at((event) => event.type === 'tool_start' && event.name === 'ReadFile')).toBeLessThan(messageAt);
    expect(at((event) => event.type === 'tool_start' && event.subject === 'cat a.txt')).toBeLessThan(messageAt);
    expect(at((event) => event.type === 'tool_start' && event.subject === 'touch b.txt')).toBeGreaterThan(messageAt);
  });

  test('what started early is dropped with a message that fails, and asked for again', async () => {
    project = createProject({ 'a.txt': 'a\n' });
    const call = { name: 'ReadFile', input: { path: project.path('a.txt') } };
    const error = { kind: 'overloaded', message: 'Overloaded', status: null, retryable: true } as const;
    const provider = createScriptedProvider([{ calls: [call], error }, { text: 'again', calls: [call] }, DONE]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events)).toEqual([{ text: '1\ta', isError: false }]);
    expect(events.filter((event) => event.type === 'message_replaced')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });
});

describe('secrets', () => {
  test('a search of a folder tells nothing of files that may hold secrets, and says so', async () => {
    project = createProject({ '.env': 'TOKEN=abc123\n', 'sub/.env.production': 'TOKEN=x\n', 'a.txt': 'TOKEN is used here\n' });
    const provider = createScriptedProvider([
      {
        calls: [
          { name: 'Grep', input: { pattern: 'TOKEN' } },
          { name: 'Grep', input: { pattern: 'TOKEN', path: project.path('.env') } },
        ],
      },
      DONE,
    ]);
    const results = resultsOf(await runToEnd(createTestAgent(project, provider, { mode: 'acceptEdits' }), 'go'));
    expect(results[0]?.text).toContain('a.txt:1: TOKEN is used here');
    expect(results[0]?.text).toContain('Not shown, because they may hold secrets: .env, sub/.env.production.');
    expect(results[0]?.text).not.toContain('abc123');
    expect(results[1]).toMatchObject({ isError: true, text: expect.stringContaining('.env may hold secrets') });
  });
});

describe('what ends badly', () => {
  test('a model that answers with nothing is not done', async () => {
    project = createProject();
    const events = await runToEnd(createTestAgent(project, createScriptedProvider([{ text: '  ' }, { text: '  ' }])), 'go');
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
    expect(events.find((event) => event.type === 'error')).toMatchObject({
      error: { message: 'The model answered with nothing.' },
    });
  });

  test('arguments nested without end are refused like any other bad input', async () => {
    project = createProject();
    const provider = createScriptedProvider([
      { calls: [{ name: 'ReadFile', json: `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }] },
      DONE,
    ]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events)[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('nested more than 200 levels deep'),
    });
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('a tool that throws is told to the model and to the person, and the run goes on', async () => {
    project = createProject();
    const broken = defineTool({
      name: 'Broken',
      description: 'Has a bug.',
      inputSchema: { type: 'object', properties: {} } as const,
      execute: () => Promise.reject(new Error('index out of range')),
    });
    const provider = createScriptedProvider([{ calls: [{ name: 'Broken' }] }, DONE]);
    const events = await runToEnd(createTestAgent(project, provider, { extraTools: [broken] }), 'go');
    expect(resultsOf(events)[0]).toMatchObject({ isError: true, text: expect.stringContaining('index out of range') });
    expect(events.find((event) => event.type === 'error')).toMatchObject({ error: { code: 'tool_bug' } });
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('metadata never reaches a message, and an empty answer says so', async () => {
    project = createProject();
    const quiet = defineTool({
      name: 'Quiet',
      description: 'Says nothing.',
      inputSchema: { type: 'object', properties: {} } as const,
      execute: async () => ({ content: [], isError: false, metadata: { secret: 'for people only' } }),
    });
    const provider = createScriptedProvider([{ calls: [{ name: 'Quiet' }] }, DONE]);
    const events = await runToEnd(createTestAgent(project, provider, { extraTools: [quiet] }), 'go');
    expect(resultsOf(events)).toEqual([{ text: 'Done; no output.', isError: false }]);
    expect(JSON.stringify(provider.requests)).not.toContain('for people only');
    expect(JSON.stringify(events)).toContain('for people only');
  });

  test('an abort during a command ends what it started, answers every call, and leaves a history that can be sent', async () => {
    project = createProject();
    const calls = [
      { name: 'Bash', input: { command: 'echo begun; sleep 5; echo late > after.txt' } },
      { name: 'Bash', input: { command: 'touch never.txt' } },
    ];
    const provider = createScriptedProvider([{ calls }, DONE]);
    const abort = new AbortController();
    const agent = createTestAgent(project, provider);
    const events = await runToEnd(agent, 'go', (event) => void (event.type === 'tool_progress' && abort.abort()), abort.signal);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'aborted' });
    const results = resultsOf(events);
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('begun') });
    expect(results[0]?.text).toContain('Interrupted by the person');
    expect(results[1]).toEqual({ isError: true, text: 'Interrupted by the person before it ran; nothing was done.' });
    await sleep(50);
    expect(existsSync(project.path('never.txt'))).toBe(false);
    const next = await runToEnd(agent, 'go on');
    expect(next.at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('a tool that does not heed the abort does not hold up the run', async () => {
    project = createProject();
    const deaf = defineTool({
      name: 'Deaf',
      description: 'Never ends.',
      inputSchema: { type: 'object', properties: {} } as const,
      execute: () => new Promise<never>(() => undefined),
    });
    const abort = new AbortController();
    const provider = createScriptedProvider([{ calls: [{ name: 'Deaf' }] }, DONE]);
    const agent = createTestAgent(project, provider, { extraTools: [deaf] });
    const events = await runToEnd(agent, 'go', (event) => void (event.type === 'tool_start' && abort.abort()), abort.signal);
    expect(resultsOf(events)[0]?.text).toContain('did not stop in time');
  });

  test('a long answer is cut at code points, and all of it is kept in a file', async () => {
    project = createProject();
    const long = '😀'.repeat(120_000);
    const wordy = defineTool({
      name: 'Wordy',
      description: 'Says much.',
      inputSchema: { type: 'object', properties: {} } as const,
      execute: async () => succeed(long),
    });
    const provider = createScriptedProvider([{ calls: [{ name: 'Wordy' }] }, DONE]);
    const [result] = resultsOf(await runToEnd(createTestAgent(project, provider, { extraTools: [wordy] }), 'go'));
    expect(result?.text.isWellFormed()).toBe(true);
    expect(result?.text.length).toBeLessThan(101_000);
    const path = /all of it: (\S+)/.exec(result?.text ?? '')?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(long);
  });
});

/** The same events, each after the event loop has turned. */
function slowed(stream: ReturnType<typeof createScriptedProvider>['stream']): typeof stream {
  return async function* (request) {
    for await (const event of stream(request)) {
      await sleep(20);
      yield event;
    }
  };
}
