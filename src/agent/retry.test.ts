import { afterEach, describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { textOf } from '../core/message.ts';
import { createScriptedProvider, type ScriptedReply } from '../providers/scripted.ts';

let project: TestProject | null = null;
afterEach(() => project?.remove());

const LEAKED: ScriptedReply = { text: '<tool_call>{"name": "ReadFile", "arguments": {}}</tool_call>' };
const MALFORMED: ScriptedReply = {
  text: 'Let me see.',
  error: { kind: 'malformed_call', message: 'MALFORMED_FUNCTION_CALL', status: null, retryable: true },
};

/** Runs a script on a project of one file; the calls in it read that file. */
async function run(script: (path: string) => readonly ScriptedReply[]) {
  project = createProject({ 'a.txt': 'alpha\n' });
  const provider = createScriptedProvider(script(project.path('a.txt')));
  const events = await runToEnd(createTestAgent(project, provider), 'Read it.');
  const lastTexts = provider.requests.map(({ messages }) => textOf(messages.at(-1)?.content ?? []));
  return { events, lastTexts };
}

describe.each([
  ['written as text', LEAKED],
  ['that the server could not read', MALFORMED],
])('a call %s', (_what, broken) => {
  test('is asked for again with a note, is not kept, and the note is not either', async () => {
    const { events, lastTexts } = await run((path) => [
      broken,
      { calls: [{ name: 'ReadFile', input: { path } }] },
      { text: 'ok' },
    ]);
    expect(resultsOf(events)).toEqual([{ text: '1\talpha', isError: false }]);
    expect(lastTexts[1]).toMatch(/^Read it\.\n.*through the tool interface/s);
    expect(lastTexts[2]).not.toContain('tool interface');
    const kept = events.flatMap((event) => (event.type === 'message_added' ? [textOf(event.message.content)] : []));
    expect(kept.join('\n')).not.toMatch(/tool_call|Let me see/);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });
});

test('a call that the server cannot read is given up after some tries, with the reason', async () => {
  const { events, lastTexts } = await run(() => [MALFORMED, MALFORMED, MALFORMED, MALFORMED]);
  expect(lastTexts).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
  expect(events.find((event) => event.type === 'error')).toMatchObject({ error: { code: 'model_stream_broken' } });
});

test('a call that is written as text again is taken as the answer and not run, and a person is told why that may be', async () => {
  const { events, lastTexts } = await run(() => [LEAKED, LEAKED, { text: 'never' }]);
  expect(lastTexts).toHaveLength(2);
  expect(lastTexts[1]).toContain('If it was meant as text, send the same answer again.');
  expect(resultsOf(events)).toEqual([]);
  expect(events.filter(({ type }) => type === 'error')).toEqual([]);
  expect(events.filter(({ type }) => type === 'notice')).toMatchObject([{ text: expect.stringContaining('--tool-call-parser') }]);
  const kept = events.flatMap((event) => (event.type === 'message_added' ? [textOf(event.message.content)] : []));
  expect(kept).toEqual(['Read it.', LEAKED.text]);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
});

test('text that looks like a call is an answer where the provider takes its calls from text itself', async () => {
  project = createProject();
  const provider = { ...createScriptedProvider([LEAKED]), readsCallsFromText: true };
  const events = await runToEnd(createTestAgent(project, provider), 'Read it.');
  expect(events.filter(({ type }) => type === 'notice' || type === 'message_replaced')).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
});

test('a silent model is told of', async () => {
  const { withIdleHint } = await import('./idle-hint.ts');
  let release: () => void = () => undefined;
  let hints = 0;
  async function* silent(): AsyncGenerator<number> {
    yield 1;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    yield 2;
  }
  const seen: number[] = [];
  const onIdle = (): void => {
    hints++;
    release();
  };
  for await (const event of withIdleHint(silent(), 1, onIdle)) seen.push(event);
  expect([seen, hints]).toEqual([[1, 2], 1]);
});
