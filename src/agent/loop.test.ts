import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { createCompactingAgent, withUsage } from '../../test/compacting-agent.ts';
import type { AgentEvent } from '../core/agent-event.ts';
import { textOf } from '../core/message.ts';
import { type ModelEvent, NO_USAGE, type Provider } from '../core/model.ts';
import { createScriptedProvider, type ScriptedReply } from '../providers/scripted.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'a.txt': 'alpha\n' });
});
afterEach(() => project.remove());

const read = (stopReason: NonNullable<ScriptedReply['stopReason']> = 'tool_use'): ScriptedReply => ({
  calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') } }],
  stopReason,
});

function errorsIn(events: readonly AgentEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === 'error' ? [[event.error.code, event.error.message]] : []));
}

describe('a context that is full in the middle of a call', () => {
  test('is compacted and asked for once more; a second one ends the run', async () => {
    const script = [read(), read('context_overflow'), { text: 'A file was read.' }, read('context_overflow'), { text: 'never' }];
    const provider = createScriptedProvider(script);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(provider.requests).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'compacted')).toHaveLength(1);
    expect(errorsIn(events)).toEqual([['model_context_full', 'The conversation no longer fits the model.']]);
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', turns: 2 });
  });

  test('goes on where there is room again', async () => {
    const script = [read(), read('context_overflow'), { text: 'A file was read.' }, read(), { text: 'ok' }];
    const events = await runToEnd(createTestAgent(project, createScriptedProvider(script)), 'go');
    expect(resultsOf(events).map(({ isError }) => isError)).toEqual([false, false]);
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('ends the run at once where nothing can be taken out', async () => {
    const provider = createScriptedProvider([read('context_overflow'), { text: 'never' }]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(provider.requests).toHaveLength(1);
    expect(errorsIn(events)).toMatchObject([['model_context_full', expect.anything()]]);
  });
});

describe('turns that get nowhere', () => {
  test('calls that are cut three times in a row end the run, and each was answered', async () => {
    const provider = createScriptedProvider([...Array<ScriptedReply>(3).fill(read('max_tokens')), { text: 'never' }]);
    const events = await runToEnd(createTestAgent(project, provider), 'go');
    expect(resultsOf(events).map(({ text }) => text)).toEqual(Array(3).fill(expect.stringContaining('cut at the output limit')));
    expect(errorsIn(events)).toMatchObject([['model_stream_broken', expect.stringContaining('Three answers in a row')]]);
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', turns: 3 });
  });

  test('a whole call between cut ones starts the count again', async () => {
    const cut = read('max_tokens');
    const provider = createScriptedProvider([cut, cut, read(), cut, cut, { text: 'ok' }]);
    expect((await runToEnd(createTestAgent(project, provider), 'go')).at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('a turn that is paused without end ends the run', async () => {
    const paused: ScriptedReply = { text: 'Still at it.', stopReason: 'pause_turn' };
    const provider = createScriptedProvider(Array.from({ length: 40 }, () => paused));
    const events = await runToEnd(createTestAgent(project, provider, { maxTurns: 100 }), 'go');
    expect(provider.requests).toHaveLength(20);
    expect(errorsIn(events)).toMatchObject([['model_stream_broken', expect.stringContaining('paused its turn 20 times')]]);
  });
});

describe('an answer of thinking alone', () => {
  const thinks = (provider: Provider, times: number): Provider => {
    let left = times;
    return { ...provider, stream: (request) => (left-- > 0 ? thinkingAlone() : provider.stream(request)) };
  };
  async function* thinkingAlone(): AsyncGenerator<ModelEvent> {
    yield { type: 'thinking_delta', index: 0, text: 'hm' };
    yield { type: 'message_end', state: 'complete', stopReason: 'end_turn', rawStop: 'end_turn', usage: NO_USAGE };
  }

  test('is asked for once more, with a note that is not kept', async () => {
    const provider = createScriptedProvider([{ text: 'ok' }]);
    const events = await runToEnd(createTestAgent(project, thinks(provider, 1)), 'go');
    expect(textOf(provider.requests[0]?.messages.at(-1)?.content ?? [])).toMatch(/^go\n.*neither text nor a tool call/s);
    const added = events.flatMap((event) => (event.type === 'message_added' ? [textOf(event.message.content)] : []));
    expect(added).toEqual(['go', 'ok']);
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });

  test('is no success when it comes again', async () => {
    const provider = createScriptedProvider([{ text: 'never' }]);
    const events = await runToEnd(createTestAgent(project, thinks(provider, 2)), 'go');
    expect(provider.requests).toHaveLength(0);
    expect(errorsIn(events)).toEqual([['model_stream_broken', 'The model answered with nothing.']]);
    expect(events.at(-1)).toMatchObject({ outcome: 'failed' });
  });
});

describe('the cost of a run', () => {
  const price = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0, source: 's', date: '2026-11-30' };
  const costAfter = async (broken: ScriptedReply): Promise<unknown> => {
    const provider = withUsage(createScriptedProvider([broken, { text: 'ok' }]), [{}, { inputTokens: 1000 }]);
    const agent = createCompactingAgent(project, provider, { price });
    return (await runToEnd(agent, 'go')).map((event) => (event.type === 'run_end' ? event.cost : undefined)).at(-1);
  };

  test('is unknown where a try broke off whose tokens were never told, though a later one was whole', async () => {
    const error = { kind: 'incomplete', message: 'The stream broke off.', status: null, retryable: true } as const;
    expect(await costAfter({ text: 'I will', error })).toBeNull();
    expect(await costAfter({ error })).toBeNull();
    expect(await costAfter({ text: 'I will', error: { ...error, kind: 'overloaded' } })).toBeNull();
  });

  test('is known where a try was refused before any answer', async () => {
    const error = { kind: 'overloaded', message: 'Overloaded.', status: 529, retryable: true } as const;
    expect(await costAfter({ error })).toBe(0.001);
  });
});
