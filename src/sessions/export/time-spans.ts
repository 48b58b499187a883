import type { JsonObject } from '../../core/json-value.ts';
import { textOf, toolUsesOf } from '../../core/message.ts';
import { messageOfRecord } from '../session-record.ts';
import { timeOf } from './read-entries.ts';
import type { CallEntry, Span, Timeline } from './session-document.ts';

type Records = readonly (JsonObject | null)[];

/** Records after which a request goes out: what follows until the next message of the model is its time. */
const BEFORE_REQUEST: ReadonlySet<unknown> = new Set(['run_start', 'message_added', 'turn_end', 'compacted', 'message_replaced']);
const GUESSED_MS_PER_CHAR = 6;
const GUESSED_LEAST_MS = 400;

/** What ran when: the model from its request to its message, a call for as long as its tool ran, a person while a question waited. */
export function readTimeline(records: Records, calls: readonly CallEntry[], createdAtMs: number | null): Timeline {
  const whole = records.filter((record) => record !== null).slice(1);
  const isEstimated = whole.some((record) => timeOf(record) === null);
  const spans = isEstimated ? guessedSpans(whole, calls) : recordedSpans(whole, calls);
  const firstMs = Math.min(createdAtMs ?? Infinity, spans[0]?.startMs ?? Infinity);
  const beginMs = isEstimated || !Number.isFinite(firstMs) ? 0 : firstMs;
  const fromBegin = spans.map((span) => ({ ...span, startMs: span.startMs - beginMs, endMs: span.endMs - beginMs }));
  return { isEstimated, beganAtMs: isEstimated ? null : beginMs, spans: fromBegin.toSorted((a, b) => a.startMs - b.startMs) };
}

function recordedSpans(records: readonly JsonObject[], calls: readonly CallEntry[]): readonly Span[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const spans: Span[] = [];
  let requestMs: number | null = null;
  let lastMs = 0;
  let turn = 1;
  for (const record of records) {
    const atMs = timeOf(record) ?? lastMs;
    const message = messageOfRecord(record);
    const call = byId.get(String(record['toolUseId']));
    if (message?.role === 'assistant') {
      const isFailure = message.state === 'failed';
      spans.push({ kind: 'model', startMs: requestMs ?? atMs, endMs: atMs, turn, call: null, isFailure });
    } else if (record['type'] === 'tool_time' && call !== undefined)
      spans.push(callSpan(call, { startMs: atMs - (call.durationMs ?? 0), endMs: atMs }));
    else if (record['type'] === 'permission_decided' && call !== undefined) {
      if (record['by'] === 'user')
        spans.push({ kind: 'person', startMs: lastMs, endMs: atMs, turn, call: call.number, isFailure: false });
      if (call.outcome === 'denied') spans.push(callSpan(call, { startMs: atMs, endMs: atMs }));
    }
    if (BEFORE_REQUEST.has(record['type'])) requestMs = atMs;
    if (record['type'] === 'turn_end') turn++;
    lastMs = atMs;
  }
  return spans;
}

/** One thing after the other, as long as its text. */
function guessedSpans(records: readonly JsonObject[], calls: readonly CallEntry[]): readonly Span[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const spans: Span[] = [];
  let endMs = 0;
  let turn = 1;
  const take = (durationMs: number): { startMs: number; endMs: number } => {
    const startMs = endMs;
    endMs += durationMs;
    return { startMs, endMs };
  };
  for (const record of records) {
    const message = messageOfRecord(record);
    if (message?.role === 'assistant') {
      const chars = textOf(message.content).length + JSON.stringify(toolUsesOf(message).map(({ input }) => input)).length;
      const time = take(GUESSED_LEAST_MS + chars * GUESSED_MS_PER_CHAR);
      spans.push({ kind: 'model', ...time, turn, call: null, isFailure: message.state === 'failed' });
      for (const { id } of toolUsesOf(message)) {
        const call = byId.get(id);
        if (call !== undefined) spans.push(callSpan(call, take(call.durationMs ?? 0)));
      }
    }
    if (record['type'] === 'turn_end') turn++;
  }
  return spans;
}

function callSpan(call: CallEntry, time: { readonly startMs: number; readonly endMs: number }): Span {
  return { kind: call.kind, ...time, turn: call.turn, call: call.number, isFailure: hasFailed(call) };
}

/** A command that ended with another code than 0 is a result, and still what a reader looks for. */
export function hasFailed({ outcome, exitCode }: CallEntry): boolean {
  return outcome === 'failed' || outcome === 'denied' || (exitCode !== null && exitCode !== 0);
}
