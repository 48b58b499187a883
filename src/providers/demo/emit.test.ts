import { expect, test } from 'vitest';
import { NO_USAGE } from '../../core/model.ts';
import type { ModelEvent, ModelRequest } from '../../core/model.ts';
import { emitReply, type Reply } from './emit.ts';

function requestWith(signal: AbortSignal): ModelRequest {
  return { model: 'demo', system: 'x'.repeat(40), messages: [], tools: [], maxOutputTokens: 100, signal };
}

async function eventsOf(reply: Reply, signal = new AbortController().signal, deltaDelayMs = 0): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of emitReply(reply, { request: requestWith(signal), deltaDelayMs })) events.push(event);
  return events;
}

const CALL = { name: 'EditFile', input: { path: '/a.txt', old_string: 'x', new_string: '你好 👋🏽' } };

test('a message of text and calls comes block by block, in small pieces, and ends once', async () => {
  const events = await eventsOf({ text: 'Hello 👋 world', calls: [CALL, { name: 'Bash', input: { command: 'ls' } }] });
  expect(
    events
      .map((event) => ('index' in event ? `${event.type} ${event.index}` : event.type))
      .filter((name, at, all) => name !== all[at - 1]),
  ).toEqual([
    'message_start',
    'text_delta 0',
    'block_end 0',
    'tool_use_start 1',
    'tool_input_delta 1',
    'tool_use 1',
    'block_end 1',
    'tool_use_start 2',
    'tool_input_delta 2',
    'tool_use 2',
    'block_end 2',
    'message_end',
  ]);
  expect(events[0]).toEqual({ type: 'message_start', model: 'demo' });
});

test('the fragments of a call, joined, are the input that its tool_use carries', async () => {
  const events = await eventsOf({ text: '', calls: [CALL] });
  const fragments = events.flatMap((event) => (event.type === 'tool_input_delta' ? [event.json] : []));
  expect(fragments.length).toBeGreaterThan(3);
  expect(JSON.parse(fragments.join(''))).toEqual(CALL.input);
  expect(events.find((event) => event.type === 'tool_use')).toEqual({
    type: 'tool_use',
    index: 0,
    name: 'EditFile',
    input: CALL.input,
  });
});

test('text is cut at code points and says the same when joined', async () => {
  const text = '演示👋🏽模型 says “hi”';
  const pieces = (await eventsOf({ text, calls: [] })).flatMap((event) => (event.type === 'text_delta' ? [event.text] : []));
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed() && Array.from(piece).length <= 4)).toBe(true);
});

test.each([
  [{ text: 'Done.', calls: [] }, 'end_turn'],
  [{ text: '', calls: [CALL] }, 'tool_use'],
])('the last event of %o has the stop reason %s, and no tokens, since nobody counts them', async (reply, stopReason) => {
  const last = (await eventsOf(reply)).at(-1);
  expect(last).toMatchObject({ type: 'message_end', state: 'complete', stopReason, rawStop: stopReason });
  expect(last).toHaveProperty('usage', NO_USAGE);
});

const ABORTED = {
  type: 'message_failed',
  error: { kind: 'aborted', message: 'The request was aborted.', status: null },
  retryable: false,
};

test('an aborted request says nothing but that', async () => {
  expect(await eventsOf({ text: 'Hello', calls: [] }, AbortSignal.abort())).toEqual([ABORTED]);
});

test('an abort in mid-answer ends the message', async () => {
  const controller = new AbortController();
  const seen: ModelEvent[] = [];
  for await (const event of emitReply(
    { text: 'Hello, world', calls: [CALL] },
    { request: requestWith(controller.signal), deltaDelayMs: 0 },
  )) {
    seen.push(event);
    if (event.type === 'text_delta') controller.abort();
  }
  expect(seen.map((event) => event.type)).toEqual(['message_start', 'text_delta', 'message_failed']);
});

test('an abort during the pause before a delta does not wait for it', async () => {
  const controller = new AbortController();
  const start = performance.now();
  setTimeout(() => controller.abort(), 20);
  const events = await eventsOf({ text: 'Hello', calls: [] }, controller.signal, 60_000);
  expect(events.at(-1)).toEqual(ABORTED);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a pause lies before each delta', async () => {
  const start = performance.now();
  await eventsOf({ text: 'Hello, you', calls: [] }, new AbortController().signal, 10);
  expect(performance.now() - start).toBeGreaterThanOrEqual(25);
});
