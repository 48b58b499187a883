import type { JsonObject } from '../../core/json-value.ts';
import type { ModelEvent } from '../../core/model.ts';
import { addText, type ChatState } from './state.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';

// In order of preference: Chutes fills two of them with the same words. `reasoning_text` is Copilot's.
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'];
const SAYING = [...REASONING_FIELDS, 'reasoning_details', 'refusal'];

/** What a delta says, reasoning first. */
export function readContent(state: ChatState, delta: JsonObject): ModelEvent[] {
  // A delta of a call says nothing, and there are very many of them.
  if (delta['content'] == null && !SAYING.some((field) => delta[field] != null)) return [];
  return [...readReasoning(state, delta), ...readParts(state, delta['content']), ...readRefusal(state, delta['refusal'])];
}

function readReasoning(state: ChatState, delta: JsonObject): ModelEvent[] {
  const field = REASONING_FIELDS.find((name) => stringOr(delta[name], null) !== null);
  if (field !== undefined) return addText(state, 'thinking', field, delta[field]);
  return asArray(delta['reasoning_details']).flatMap((detail) => {
    const { text, summary } = asObject(detail);
    return addText(state, 'thinking', 'reasoning_details', stringOr(text, summary));
  });
}

/** Text, or an array of parts of it: Mistral sends reasoning so. Source: recorded streams, 2026-08 */
function readParts(state: ChatState, content: unknown): ModelEvent[] {
  if (typeof content === 'string') return addText(state, 'text', 'content', content);
  return asArray(content).flatMap((part) => {
    const { type, text, thinking } = asObject(part);
    if (type === 'text') return addText(state, 'text', 'content', text);
    if (type !== 'thinking') return [];
    const pieces = typeof thinking === 'string' ? [thinking] : asArray(thinking).map((piece) => asObject(piece)['text']);
    return pieces.flatMap((piece) => addText(state, 'thinking', 'content', piece));
  });
}

function readRefusal(state: ChatState, refusal: unknown): ModelEvent[] {
  const events = addText(state, 'text', 'refusal', refusal);
  if (events.length > 0) state.isRefusal = true;
  return events;
}
