import type { ProviderError } from '../core/errors.ts';
import type { ModelEvent, ModelRequest, Provider, StopReason } from '../core/model.ts';
import { NO_USAGE } from '../core/model.ts';
import { parseToolInput } from '../core/tool-input.ts';

/** One response of a scripted model. */
export interface ScriptedReply {
  readonly text?: string;
  /** `json` in place of `input` sends that text as it is. */
  readonly calls?: readonly {
    readonly name: string;
    readonly input?: unknown;
    readonly json?: string;
    readonly id?: string | null;
  }[];
  readonly stopReason?: StopReason;
  /** Fails after what comes before it. */
  readonly error?: ProviderError & { readonly retryable?: boolean };
}

/** A model that says what it is told to, for tests and examples. `requests` holds what it was asked; a step may look at it. */
export function createScriptedProvider(
  script: readonly (ScriptedReply | ((request: ModelRequest) => ScriptedReply))[],
): Provider & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: 'scripted',
    marksCallEnd: true,
    seesImages: true,
    requests,
    async *stream(request) {
      const step = script[requests.length] ?? { text: 'The script is over.' };
      requests.push(request);
      yield* eventsOf(typeof step === 'function' ? step(request) : step, requests.length);
    },
  };
}

function* eventsOf(reply: ScriptedReply, turn: number): Generator<ModelEvent> {
  yield { type: 'message_start', model: 'scripted' };
  let index = 0;
  if (reply.text !== undefined) {
    yield { type: 'text_delta', index, text: reply.text };
    yield { type: 'block_end', index: index++ };
  }
  for (const [i, call] of (reply.calls ?? []).entries()) {
    const json = call.json ?? JSON.stringify(call.input ?? {});
    yield { type: 'tool_use_start', index, wireId: call.id === undefined ? `toolu_${turn}_${i + 1}` : call.id, name: call.name };
    yield { type: 'tool_input_delta', index, json };
    yield { type: 'tool_use', index, name: call.name, ...parseToolInput(json) };
    yield { type: 'block_end', index: index++ };
  }
  if (reply.error !== undefined) {
    yield { type: 'message_failed', error: reply.error, retryable: reply.error.retryable ?? false };
    return;
  }
  const stopReason = reply.stopReason ?? (reply.calls === undefined ? 'end_turn' : 'tool_use');
  const state = stopReason === 'max_tokens' || stopReason === 'context_overflow' ? 'cut' : 'complete';
  yield { type: 'message_end', state, stopReason, rawStop: stopReason, usage: NO_USAGE };
}
