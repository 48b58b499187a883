import { pause } from '../../core/pause.ts';
import type { ModelEvent, ModelRequest } from '../../core/model.ts';
import { NO_USAGE } from '../../core/model.ts';
import { parseToolInput } from '../../core/tool-input.ts';
import type { PresentedCall } from './toolbox.ts';

const TEXT_PIECE = 4;
const JSON_PIECE = 12;

/** What the demo model says in one message. Without calls it is the final answer. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly PresentedCall[];
}

/** Speaks a reply as the events of one message. Ends with `message_failed` of kind `aborted` once the request's signal is aborted. */
export async function* emitReply(
  reply: Reply,
  { request, deltaDelayMs }: { readonly request: ModelRequest; readonly deltaDelayMs: number },
): AsyncGenerator<ModelEvent> {
  for (const event of eventsOf(reply)) {
    if (deltaDelayMs > 0 && isDelta(event)) await pause(deltaDelayMs, request.signal);
    if (request.signal.aborted) {
      yield ABORTED;
      return;
    }
    yield event;
  }
}

const ABORTED: ModelEvent = {
  type: 'message_failed',
  error: { kind: 'aborted', message: 'The request was aborted.', status: null },
  retryable: false,
};

function* eventsOf(reply: Reply): Generator<ModelEvent> {
  yield { type: 'message_start', model: 'demo' };
  let index = 0;
  if (reply.text !== '') yield* textEvents(reply.text, index++);
  for (const call of reply.calls) yield* callEvents(call, index++);
  const stopReason = reply.calls.length > 0 ? 'tool_use' : 'end_turn';
  yield { type: 'message_end', state: 'complete', stopReason, rawStop: stopReason, usage: NO_USAGE };
}

function* textEvents(text: string, index: number): Generator<ModelEvent> {
  for (const piece of pieces(text, TEXT_PIECE)) yield { type: 'text_delta', index, text: piece };
  yield { type: 'block_end', index };
}

function* callEvents(call: PresentedCall, index: number): Generator<ModelEvent> {
  const json = JSON.stringify(call.input);
  yield { type: 'tool_use_start', index, wireId: null, name: call.name };
  for (const piece of pieces(json, JSON_PIECE)) yield { type: 'tool_input_delta', index, json: piece };
  yield { type: 'tool_use', index, name: call.name, ...parseToolInput(json) };
  yield { type: 'block_end', index };
}

function pieces(text: string, length: number): readonly string[] {
  const points = Array.from(text);
  const cut: string[] = [];
  for (let start = 0; start < points.length; start += length) cut.push(points.slice(start, start + length).join(''));
  return cut;
}

function isDelta(event: ModelEvent): boolean {
  return event.type === 'text_delta' || event.type === 'tool_input_delta';
}
