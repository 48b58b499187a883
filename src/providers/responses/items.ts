import type { JsonObject, JsonValue } from '../../core/json-value.ts';
import type { ReplayToken } from '../../core/message.ts';
import type { ModelEvent } from '../../core/model.ts';
import { type ParsedToolInput, parseToolInput } from '../../core/tool-input.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';
import type { ReaderState } from '../wire-reader.ts';

/** An item of the answer: a message, a piece of reasoning, a call, or something else. */
interface OutputItem {
  readonly type: string;
  /** Of a call. */
  readonly name: string;
  /** What of it was streamed. */
  text: string;
  /** The part that the last piece of text belonged to. */
  part: string | null;
  isDone: boolean;
}

/** The items of an answer so far, by `output_index`: item ids may change from event to event. Source: vercel/ai 73d48d0. */
export interface ItemState extends ReaderState {
  readonly items: Map<number, OutputItem>;
  isRefused: boolean;
}

/** `response.output_item.added`. */
export function openItem(state: ItemState, index: number, item: JsonObject): ModelEvent[] {
  if (state.items.has(index)) return [];
  const type = stringOr(item['type'], '');
  const name = stringOr(item['name'], '');
  state.items.set(index, { type, name, text: '', part: null, isDone: false });
  return isCall(type) ? [{ type: 'tool_use_start', index, wireId: stringOr(item['call_id'], null), name }] : [];
}

/** A piece of a message's text or of its refusal. */
export function addText(state: ItemState, index: number, piece: unknown): ModelEvent[] {
  return addPiece(itemOf(state, index, 'message'), index, { type: 'text_delta', part: 'text', piece });
}

/** A piece of reasoning; a summary has several parts, each a paragraph of its own. */
export function addThinking(state: ItemState, index: number, part: string, piece: unknown): ModelEvent[] {
  return addPiece(itemOf(state, index, 'reasoning'), index, { type: 'thinking_delta', part, piece });
}

/** A piece of a call's arguments, or of a custom tool's text. */
export function addArguments(state: ItemState, index: number, piece: unknown): ModelEvent[] {
  const item = state.items.get(index);
  if (item === undefined || item.isDone || typeof piece !== 'string' || piece === '') return [];
  item.text += piece;
  return [{ type: 'tool_input_delta', index, json: piece }];
}

/** `response.output_item.done`: the truth about an item, whatever its pieces said. */
export function endItem(state: ItemState, index: number, done: JsonObject): ModelEvent[] {
  const opened = openItem(state, index, done);
  const item = state.items.get(index);
  if (item === undefined || item.isDone) return opened;
  // A call that the limit cut is "done" too, but incomplete: it must never run.
  if (isCall(item.type) && done['status'] === 'incomplete') return opened;
  item.isDone = true;
  return [...opened, ...endOf(state, item, { index, done })];
}

/** Whether the answer has calls, and whether one of them never ended. */
export function callsIn(state: ItemState): { readonly any: boolean; readonly open: boolean } {
  const calls = [...state.items.values()].filter((item) => isCall(item.type));
  return { any: calls.length > 0, open: calls.some((item) => !item.isDone) };
}

interface Ending {
  readonly index: number;
  readonly done: JsonObject;
}

function endOf(state: ItemState, item: OutputItem, ending: Ending): ModelEvent[] {
  const { index, done } = ending;
  switch (item.type) {
    case 'message':
      return endText(state, item, ending);
    case 'reasoning':
      return [
        ...addThinking(state, index, 'rest', restOf(item, reasoningText(done))),
        { type: 'block_end', index, replay: token(state, done as JsonValue) },
      ];
    case 'function_call':
    case 'custom_tool_call':
      return [
        { type: 'tool_use', index, name: stringOr(done['name'], item.name), ...inputOf(item, done) },
        { type: 'block_end', index },
      ];
    default:
      return [{ type: 'opaque_block', index, replay: token(state, done as JsonValue) }];
  }
}

function endText(state: ItemState, item: OutputItem, { index, done }: Ending): ModelEvent[] {
  const parts = asArray(done['content']).map(asObject);
  if (parts.some((part) => part['type'] === 'refusal')) state.isRefused = true;
  const text = parts.map((part) => stringOr(part['text'], stringOr(part['refusal'], ''))).join('');
  const events = addText(state, index, restOf(item, text));
  const phase = stringOr(done['phase'], null);
  // A blank text is dropped, and its phase with it.
  const replay = phase === null || item.text.trim() === '' ? {} : { replay: token(state, { phase }) };
  return [...events, { type: 'block_end', index, ...replay }];
}

/** What a done item holds beyond its pieces: they may be missing, or stop early. */
function restOf(item: OutputItem, whole: string): string {
  return whole.startsWith(item.text) ? whole.slice(item.text.length) : '';
}

/** The summary, or the raw reasoning of servers that show it. Source: recorded streams of DeepSeek and OpenRouter. */
function reasoningText(done: JsonObject): string {
  const textsOf = (parts: unknown): string[] =>
    asArray(parts)
      .map((part) => stringOr(asObject(part)['text'], ''))
      .filter((text) => text !== '');
  const summary = textsOf(done['summary']);
  return (summary.length > 0 ? summary : textsOf(done['content'])).join(PARAGRAPH);
}

function inputOf(item: OutputItem, done: JsonObject): ParsedToolInput {
  // A custom tool takes free text and no JSON; wield offers none, so such a call is answered as malformed.
  if (item.type === 'custom_tool_call') return { input: null, malformedInput: stringOr(done['input'], item.text) };
  const args = done['arguments'];
  // Some gateways send the parsed object. Source: BerriAI/litellm#37792
  return parseToolInput(typeof args === 'object' && args !== null ? JSON.stringify(args) : stringOr(args, item.text));
}

const PARAGRAPH = '\n\n';

interface Piece {
  readonly type: 'text_delta' | 'thinking_delta';
  readonly part: string;
  readonly piece: unknown;
}

function addPiece(item: OutputItem, index: number, { type, part, piece }: Piece): ModelEvent[] {
  if (typeof piece !== 'string' || piece === '') return [];
  const isNewParagraph = part !== 'rest' && item.part !== null && item.part !== part;
  const text = isNewParagraph ? PARAGRAPH + piece : piece;
  item.part = part;
  item.text += text;
  return [{ type, index, text }];
}

function itemOf(state: ItemState, index: number, type: string): OutputItem {
  const known = state.items.get(index);
  if (known !== undefined) return known;
  const item: OutputItem = { type, name: '', text: '', part: null, isDone: false };
  state.items.set(index, item);
  return item;
}

function isCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function token(state: ItemState, data: JsonValue): ReplayToken {
  return { provider: state.provider, model: state.model, data };
}
