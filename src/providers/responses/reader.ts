import type { ProviderError, ProviderErrorKind } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ModelEvent, StopReason, Usage } from '../../core/model.ts';
import { kindOfErrorType, saysContextOverflow } from '../../host/http/http-errors.ts';
import { asObject, countOf, countOrNull, stringOr } from '../json-fields.ts';
import { addArguments, addText, addThinking, callsIn, endItem, type ItemState, openItem } from './items.ts';
import { createWireReader, failMessage, protocolError, type WireReader } from '../wire-reader.ts';

/** All that is known of a stream so far. */
interface ResponsesState extends ItemState {
  hasStarted: boolean;
  rawUsage: JsonObject;
}

/** Source: platform.openai.com/docs/api-reference/responses-streaming, 2026-08; quirks as noted where they are met. */
export function createResponsesReader(provider: string, model: string): WireReader {
  const state: ResponsesState = {
    provider,
    model,
    items: new Map(),
    isRefused: false,
    hasStarted: false,
    rawUsage: {},
    isOver: false,
  };
  return createWireReader({ readEvent, usageOf, readWord }, state);
}

function readEvent(state: ResponsesState, event: JsonObject): ModelEvent[] {
  const index = Number(event['output_index'] ?? 0);
  switch (event['type']) {
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return startMessage(state, asObject(event['response']));
    case 'response.output_item.added':
      return openItem(state, index, asObject(event['item']));
    case 'response.output_text.delta':
      return addText(state, index, event['delta']);
    case 'response.refusal.delta':
      state.isRefused = true;
      return addText(state, index, event['delta']);
    case 'response.reasoning_summary_text.delta':
      return addThinking(state, index, `summary ${String(event['summary_index'])}`, event['delta']);
    case 'response.reasoning_text.delta':
      return addThinking(state, index, `content ${String(event['content_index'])}`, event['delta']);
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return addArguments(state, index, event['delta']);
    case 'response.output_item.done':
      return endItem(state, index, asObject(event['item']));
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    case 'response.cancelled':
      return endMessage(state, event['type'].slice('response.'.length), asObject(event['response']));
    case 'error':
      return fail(state, streamError(errorIn(event)));
    default:
      // Proxies send a bare error in place of an event; everything else is new to the protocol, or repeats what was said.
      return isJsonObject(event['error']) ? fail(state, streamError(event['error'])) : [];
  }
}

/** OpenRouter ends with the word of chat completions. Source: recorded stream. */
function readWord(_state: ResponsesState, data: string): ModelEvent[] | null {
  return data.trim() === '[DONE]' ? [] : null;
}

function startMessage(state: ResponsesState, response: JsonObject): ModelEvent[] {
  if (state.hasStarted) return [];
  state.hasStarted = true;
  return [{ type: 'message_start', model: stringOr(response['model'], state.model) }];
}

// A map: the words come from outside, and one may be `constructor`.
const INCOMPLETE_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'refusal'],
]);

function endMessage(state: ResponsesState, event: string, response: JsonObject): ModelEvent[] {
  state.rawUsage = asObject(response['usage']);
  const status = response['status'];
  // Where event and status differ, the worse one holds: a server may end every answer with response.completed.
  const word = status === 'incomplete' || status === 'failed' ? status : event;
  if (word === 'completed') return finish(state, { stopReason: stopOf(state), rawStop: word });
  if (word !== 'incomplete') return fail(state, failureOf(word, asObject(response['error'])));
  const reason = stringOr(asObject(response['incomplete_details'])['reason'], '');
  const stopReason = INCOMPLETE_REASONS.get(reason);
  if (stopReason === undefined) return fail(state, protocolError(`an incomplete answer with the unknown reason "${reason}"`));
  return finish(state, { stopReason, rawStop: `incomplete:${reason}` });
}

/** A refusal comes as a part of a message whose status is `completed`. Source: recorded stream. */
function stopOf(state: ResponsesState): StopReason {
  if (state.isRefused) return 'refusal';
  return callsIn(state).any ? 'tool_use' : 'end_turn';
}

function finish(state: ResponsesState, end: { readonly stopReason: StopReason; readonly rawStop: string }): ModelEvent[] {
  state.isOver = true;
  const isCut = end.stopReason === 'max_tokens' || callsIn(state).open;
  return [{ type: 'message_end', state: isCut ? 'cut' : 'complete', ...end, usage: usageOf(state) }];
}

function fail(state: ResponsesState, error: ProviderError): ModelEvent[] {
  return failMessage(state, error, usageOf(state));
}

/** `{"type":"error","error":{…}}`, or code and message beside the type. Source: recorded streams; the API reference. */
function errorIn(event: JsonObject): JsonObject {
  return isJsonObject(event['error']) ? event['error'] : event;
}

function failureOf(word: string, error: JsonObject): ProviderError {
  if (Object.keys(error).length > 0) return streamError(error);
  return { kind: 'server', message: `The server ended the answer as ${word} without a reason.`, status: null };
}

// The codes that errors inside a stream have beyond those of HTTP answers.
const KINDS_BY_CODE: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['rate_limit_exceeded', 'rate_limit'],
  ['context_length_exceeded', 'context_overflow'],
  ['server_is_overloaded', 'overloaded'],
  ['slow_down', 'overloaded'],
  ['invalid_prompt', 'bad_request'],
]);

function streamError(error: JsonObject): ProviderError {
  const words = [stringOr(error['code'], ''), stringOr(error['type'], '')];
  const kinds = words.map((word) => KINDS_BY_CODE.get(word) ?? kindOfErrorType(word));
  const message = stringOr(error['message'], words.find((word) => word !== '') ?? 'The server failed without a reason.');
  const kind = saysContextOverflow(message) ? 'context_overflow' : (kinds.find((known) => known !== null) ?? 'server');
  return { kind, message, status: null };
}

/** `input_tokens` has cached ones in it, `output_tokens` the reasoning. Source: platform.openai.com/docs/api-reference/responses, 2026-08. */
function usageOf({ rawUsage }: ResponsesState): Usage {
  const details = asObject(rawUsage['input_tokens_details']);
  const reasoning = asObject(rawUsage['output_tokens_details'])['reasoning_tokens'];
  const cacheReadTokens = countOf(details['cached_tokens']);
  const cacheWriteTokens = countOf(details['cache_write_tokens']);
  return {
    inputTokens: Math.max(0, countOf(rawUsage['input_tokens']) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(rawUsage['output_tokens']),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: countOrNull(reasoning),
  };
}
