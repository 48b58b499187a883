import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value.ts';
import type { ReplayToken } from '../../core/message.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';
import type { ChatState } from './state.ts';

/** What a replay token of this wire format holds. */
export interface ChatReplay {
  /** The field in which the reasoning stood, so that it goes back under the same name. */
  readonly field?: string;
  /** Fields that go back on the message: `reasoning_details`, `reasoning_opaque`, `extra_content`. */
  readonly message?: JsonObject;
  /** Fields that go back on the call: `extra_content`. */
  readonly call?: JsonObject;
}

/** What a token holds for this model, or nothing where another one made it. */
export function chatReplayOf(
  token: ReplayToken | undefined,
  target: { readonly id: string; readonly model: string },
): ChatReplay {
  if (token?.provider !== target.id || token.model !== target.model) return {};
  const { field, message, call } = asObject(token.data);
  return {
    ...(typeof field === 'string' ? { field } : {}),
    ...(isJsonObject(message) ? { message } : {}),
    ...(isJsonObject(call) ? { call } : {}),
  };
}

/** A token of the message that is being read. */
export function tokenOf({ provider, model }: ChatState, data: ChatReplay): ReplayToken {
  return { provider, model, data: data as JsonValue };
}

/** Keeps what a delta carries for the server's own eyes. */
export function keepOpaque(state: ChatState, delta: JsonObject): void {
  const details = delta['reasoning_details'];
  if (Array.isArray(details) && details.length > 0)
    state.kept['reasoning_details'] = details
      .filter(isJsonObject)
      .reduce(addDetail, asArray(state.kept['reasoning_details'])) as JsonValue;
  // Gemini's door signs text so. Source: ai.google.dev/gemini-api/docs/thought-signatures, 2026-08
  if (isJsonObject(delta['extra_content'])) state.kept['extra_content'] = delta['extra_content'] as JsonValue;
  // Copilot's encrypted reasoning. Source: anomalyco/opencode, its copilot provider
  const opaque = stringOr(delta['reasoning_opaque'], null);
  if (opaque !== null) state.kept['reasoning_opaque'] = opaque;
}

const GROWING = ['text', 'summary'];

/** OpenRouter sends a detail in pieces: those of one type and index are one, until its signature came. What is encrypted comes whole. */
function addDetail(details: readonly unknown[], piece: JsonObject): readonly unknown[] {
  const at = details.findLastIndex((detail) => continues(asObject(detail), piece));
  if (at === -1) return [...details, piece];
  const before = asObject(details[at]);
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(piece)) {
    if (GROWING.includes(key) && typeof value === 'string') merged[key] = stringOr(before[key], '') + value;
    else if (value !== null) merged[key] = value;
  }
  return details.with(at, merged);
}

function continues(detail: JsonObject, piece: JsonObject): boolean {
  if (detail['type'] !== piece['type'] || detail['index'] !== piece['index']) return false;
  if (piece['type'] === 'reasoning.encrypted') return detail['data'] === piece['data'] && detail['id'] === piece['id'];
  return stringOr(detail['signature'], null) === null;
}
