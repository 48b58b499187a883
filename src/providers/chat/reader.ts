import type { ProviderError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ModelEvent } from '../../core/model.ts';
import { readCalls } from './calls.ts';
import { readContent } from './content.ts';
import { endMessage } from './end.ts';
import { errorIn, errorInArray } from './errors.ts';
import { readPlainFragment } from './plain-fragment.ts';
import { keepOpaque } from './replay.ts';
import { type ChatState, newChatState } from './state.ts';
import { graverStop } from './stop.ts';
import { takeUsage, usageOf } from './usage.ts';
import { asArray, asObject, countOf, stringOr } from '../json-fields.ts';
import { createWireReader, failMessage, type WireReader } from '../wire-reader.ts';

/**
 * Reads OpenAI chat completions, and those of everyone who imitates them. A call is whole only when the message is.
 * `toolNames` are the tools that were offered: they tell a name in parts from a repeated one.
 * Source: platform.openai.com/docs/api-reference/chat-streaming, 2026-08; quirks as noted where they are met.
 */
export function createChatReader(provider: string, model: string, toolNames: Iterable<string> = []): WireReader {
  return createWireReader<ChatState>(
    { readEvent, readWord, mayBeOver, atEnd, usageOf },
    newChatState(provider, model, toolNames),
  );
}

function readEvent(state: ChatState, event: JsonObject): ModelEvent[] {
  const plain = readPlainFragment(state, event);
  if (plain !== null) return plain;
  takeUsage(state, event);
  const error = errorIn(event);
  if (error !== null) return fail(state, error);
  // Azure's first chunk and the chunk of usage have no choices. More than one is still one message: Copilot puts the text into the first
  // and the call into the second. Source: HKUDS/nanobot#1555
  const choices = asArray(event['choices']);
  const start = choices.length === 0 ? [] : startMessage(state, event);
  return choices.reduce<ModelEvent[]>((events, choice) => joined(events, readChoice(state, asObject(choice))), start);
}

function startMessage(state: ChatState, event: JsonObject): ModelEvent[] {
  if (state.isStarted) return [];
  state.isStarted = true;
  return [{ type: 'message_start', model: stringOr(event['model'], state.model) }];
}

function readChoice(state: ChatState, choice: JsonObject): ModelEvent[] {
  const delta = deltaOf(state, choice);
  state.rawStop = graverStop(state.rawStop, stringOr(choice['finish_reason'], null));
  keepOpaque(state, delta);
  return joined(readContent(state, delta), readCalls(state, countOf(choice['index']), delta));
}

/** Two lists as one. Nearly always one of them is empty, and the other is not copied. */
function joined(first: ModelEvent[], second: ModelEvent[]): ModelEvent[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

/** MiniMax ends with `delta: null` and a `message` that repeats everything, so that one counts only in place of deltas. Source: MiniMax-AI/MiniMax-M2.5#2 */
function deltaOf(state: ChatState, { delta, message }: JsonObject): JsonObject {
  if (isJsonObject(delta)) return delta;
  return state.drafts.length === 0 ? asObject(message) : {};
}

function readWord(state: ChatState, data: string): ModelEvent[] | null {
  if (data.trim() === '[DONE]') return endMessage(state);
  const error = errorInArray(asArray(parseJson(data)));
  return error === null ? null : fail(state, error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writer and gpustack send no `[DONE]`: a finish reason is enough. Source: recorded streams */
function atEnd(state: ChatState): ModelEvent[] | null {
  return state.rawStop === null ? null : endMessage(state);
}

/** The usage comes in a chunk behind the one with the finish reason. */
function mayBeOver({ rawStop, rawUsage }: ChatState): boolean {
  return rawStop !== null && Object.keys(rawUsage).length > 0;
}

function fail(state: ChatState, error: ProviderError): ModelEvent[] {
  return failMessage(state, error, usageOf(state));
}
