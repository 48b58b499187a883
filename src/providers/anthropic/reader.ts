import type { ProviderError } from '../../core/errors.ts';
import { GrowingText } from '../../core/growing-text.ts';
import type { JsonObject, JsonValue } from '../../core/json-value.ts';
import type { ReplayToken } from '../../core/message.ts';
import type { ModelEvent, StopReason, Usage } from '../../core/model.ts';
import { parseToolInput } from '../../core/tool-input.ts';
import { kindOfErrorType, saysContextOverflow } from '../../host/http/http-errors.ts';
import { asArray, asObject, countOf, stringOr } from '../json-fields.ts';
import { createWireReader, failMessage, protocolError, type ReaderState, type WireReader } from '../wire-reader.ts';

interface OpenBlock {
  readonly start: JsonObject;
  readonly type: string;
  text: string;
  signature: string;
  readonly json: GrowingText;
}

/** All that is known of a stream so far. */
interface AnthropicState extends ReaderState {
  messageId: string | null;
  readonly open: Map<number, OpenBlock>;
  rawUsage: Record<string, unknown>;
  rawStop: string | null;
}

/** Source: platform.claude.com/docs/en/build-with-claude/streaming, 2026-08; quirks as noted where they are met. */
export function createAnthropicReader(provider: string, model: string): WireReader {
  const state: AnthropicState = { provider, model, messageId: null, open: new Map(), rawUsage: {}, rawStop: null, isOver: false };
  return createWireReader({ readEvent, usageOf }, state);
}

function readEvent(state: AnthropicState, event: JsonObject): ModelEvent[] {
  const index = Number(event['index'] ?? 0);
  switch (event['type']) {
    case 'message_start':
      return startMessage(state, asObject(event['message']));
    case 'content_block_start':
      return startBlock(state, index, asObject(event['content_block']));
    case 'content_block_delta':
      return readDelta(state, index, asObject(event['delta']));
    case 'content_block_stop':
      return endBlock(state, index);
    case 'message_delta':
      state.rawStop = stringOr(asObject(event['delta'])['stop_reason'], state.rawStop);
      mergeUsage(state, asObject(event['usage']));
      return [];
    case 'message_stop':
      return endMessage(state);
    case 'error':
      return fail(state, streamError(asObject(event['error'])));
    default:
      // ping, and whatever is added to the protocol later.
      return [];
  }
}

function startMessage(state: AnthropicState, message: JsonObject): ModelEvent[] {
  const id = stringOr(message['id'], '');
  if (state.messageId !== null) {
    // A proxy that repeats itself is harmless; one that splices two answers is not. Source: vercel/ai, change log 2026.
    return id === state.messageId ? [] : fail(state, protocolError('a second message inside the first'));
  }
  state.messageId = id;
  state.rawStop = stringOr(message['stop_reason'], null);
  mergeUsage(state, asObject(message['usage']));
  const events: ModelEvent[] = [{ type: 'message_start', model: stringOr(message['model'], state.model) }];
  // Programmatic calls come whole inside message_start. Source: recorded stream, 2025-12.
  asArray(message['content']).forEach((block, index) =>
    events.push(...startBlock(state, index, asObject(block)), ...endBlock(state, index)),
  );
  return events;
}

function startBlock(state: AnthropicState, index: number, start: JsonObject): ModelEvent[] {
  const type = stringOr(start['type'], '');
  const block: OpenBlock = { start, type, text: '', signature: stringOr(start['signature'], ''), json: new GrowingText() };
  state.open.set(index, block);
  switch (type) {
    case 'text':
      return addText(block, index, 'text_delta', start['text']);
    case 'thinking':
      return addText(block, index, 'thinking_delta', start['thinking']);
    case 'tool_use':
      return [{ type: 'tool_use_start', index, wireId: stringOr(start['id'], null), name: stringOr(start['name'], '') }];
    default:
      return [];
  }
}

function readDelta(state: AnthropicState, index: number, delta: JsonObject): ModelEvent[] {
  const block = state.open.get(index);
  if (block === undefined) return [];
  switch (delta['type']) {
    case 'text_delta':
      return addText(block, index, 'text_delta', delta['text']);
    case 'thinking_delta':
      return addText(block, index, 'thinking_delta', delta['thinking']);
    case 'signature_delta':
      block.signature += stringOr(delta['signature'], '');
      return [];
    case 'input_json_delta':
      return addJson(block, index, stringOr(delta['partial_json'], ''));
    default:
      return [];
  }
}

function addText(block: OpenBlock, index: number, type: 'text_delta' | 'thinking_delta', piece: unknown): ModelEvent[] {
  if (typeof piece !== 'string' || piece === '') return [];
  block.text += piece;
  return [{ type, index, text: piece }];
}

function addJson(block: OpenBlock, index: number, json: string): ModelEvent[] {
  // The first fragment of every call is empty. Source: recorded streams, 125 of 125.
  if (json === '') return [];
  block.json.add(json);
  return block.type === 'tool_use' ? [{ type: 'tool_input_delta', index, json }] : [];
}

function endBlock(state: AnthropicState, index: number): ModelEvent[] {
  const block = state.open.get(index);
  if (block === undefined) return [];
  state.open.delete(index);
  switch (block.type) {
    case 'text':
      return [{ type: 'block_end', index }];
    case 'thinking':
      return [
        {
          type: 'block_end',
          index,
          replay: token(state, { type: 'thinking', thinking: block.text, signature: block.signature }),
        },
      ];
    case 'tool_use':
      return [toolUse(block, index), { type: 'block_end', index, ...extraFields(state, block.start) }];
    default: {
      const json = String(block.json);
      const input = json === '' ? {} : { input: parseToolInput(json).input };
      return [{ type: 'opaque_block', index, replay: token(state, { ...block.start, ...input } as JsonValue) }];
    }
  }
}

function toolUse(block: OpenBlock, index: number): ModelEvent {
  const name = stringOr(block.start['name'], '');
  const json = String(block.json);
  // `input` of the start is a placeholder, unless no fragment follows. Source: anomalyco/opencode#38733.
  if (json === '') return { type: 'tool_use', index, name, input: asObject(block.start['input']) };
  return { type: 'tool_use', index, name, ...parseToolInput(json) };
}

function extraFields(state: AnthropicState, start: JsonObject): { readonly replay?: ReplayToken } {
  const { type: _type, id: _id, name: _name, input: _input, ...extra } = start;
  return Object.keys(extra).length === 0 ? {} : { replay: token(state, extra as JsonValue) };
}

const STOP_REASONS: Record<string, StopReason> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause_turn',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_overflow',
};

function endMessage(state: AnthropicState): ModelEvent[] {
  const rawStop = state.rawStop ?? '';
  const stopReason = STOP_REASONS[rawStop];
  if (stopReason === undefined) return fail(state, protocolError(`the unknown stop reason "${rawStop}"`));
  state.isOver = true;
  const isCut = stopReason === 'max_tokens' || stopReason === 'context_overflow' || state.open.size > 0;
  return [{ type: 'message_end', state: isCut ? 'cut' : 'complete', stopReason, rawStop, usage: usageOf(state) }];
}

function fail(state: AnthropicState, error: ProviderError): ModelEvent[] {
  return failMessage(state, error, usageOf(state));
}

function streamError(error: JsonObject): ProviderError {
  const type = stringOr(error['type'], '');
  const message = stringOr(error['message'], type);
  const kind = saysContextOverflow(message) ? 'context_overflow' : (kindOfErrorType(type) ?? 'server');
  return { kind, message, status: null };
}

/** message_delta repeats and may correct what message_start said: key by key the later value that is not null wins. */
function mergeUsage(state: AnthropicState, usage: JsonObject): void {
  for (const [key, value] of Object.entries(usage)) if (value !== null) state.rawUsage[key] = value;
}

function usageOf({ rawUsage }: AnthropicState): Usage {
  return {
    inputTokens: countOf(rawUsage['input_tokens']),
    outputTokens: countOf(rawUsage['output_tokens']),
    cacheReadTokens: countOf(rawUsage['cache_read_input_tokens']),
    cacheWriteTokens: countOf(rawUsage['cache_creation_input_tokens']),
    reasoningTokens: null,
  };
}

function token(state: AnthropicState, data: JsonValue): ReplayToken {
  return { provider: state.provider, model: state.model, data };
}
