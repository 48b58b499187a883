import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value.ts';
import type { ReplayToken } from '../../core/message.ts';
import type { ModelEvent } from '../../core/model.ts';
import { parseToolInput } from '../../core/tool-input.ts';
import { addPartialArgument, type PartialArguments, startArguments } from './partial-args.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';
import type { ReaderState } from '../wire-reader.ts';

interface OpenCall {
  readonly type: 'call';
  readonly index: number;
  readonly name: string;
  readonly args: PartialArguments;
  signature: string | null;
}

/** A block that more parts may go on with. */
type OpenBlock = { readonly type: 'text' | 'thinking'; readonly index: number } | OpenCall;

/** The parts of an answer so far. */
export interface PartState extends ReaderState {
  open: OpenBlock | null;
  nextIndex: number;
  hasCalls: boolean;
}

/** Reads one part. A signed part is never merged with another. Source: ai.google.dev/gemini-api/docs/thought-signatures, 2026-08 */
export function readPart(state: PartState, part: JsonObject): ModelEvent[] {
  if (isJsonObject(part['functionCall'])) return readCall(state, part['functionCall'], part);
  const { text } = part;
  if (typeof text !== 'string') return readOther(state, part);
  const signature = signatureOf(part);
  const type = part['thought'] === true ? 'thinking' : 'text';
  if (signature !== null) return [...closeText(state), ...signedText(state, { type, text, signature })];
  return text === '' ? [] : addText(state, type, text);
}

/** Ends what is open. A call is whole then: its terminator may be missing. Source: vercel/ai cfca634 */
export function closeParts(state: PartState): ModelEvent[] {
  return state.open?.type === 'call' ? endCall(state, state.open) : closeText(state);
}

function addText(state: PartState, type: 'text' | 'thinking', text: string): ModelEvent[] {
  const closed = state.open?.type === type ? [] : closeText(state);
  const index = state.open?.type === type ? state.open.index : newIndex(state);
  if (state.open?.type !== 'call') state.open = { type, index };
  return [...closed, delta(type, index, text)];
}

function delta(type: 'text' | 'thinking', index: number, text: string): ModelEvent {
  return { type: type === 'text' ? 'text_delta' : 'thinking_delta', index, text };
}

/** Ends a text or thinking block; an unfinished call goes on behind it. */
function closeText(state: PartState): ModelEvent[] {
  if (state.open === null || state.open.type === 'call') return [];
  const { index } = state.open;
  state.open = null;
  return [{ type: 'block_end', index }];
}

interface SignedText {
  readonly type: 'text' | 'thinking';
  readonly text: string;
  readonly signature: string;
}

function signedText(state: PartState, { type, text, signature }: SignedText): ModelEvent[] {
  const index = newIndex(state);
  const thought = type === 'thinking' ? { thought: true } : {};
  // An empty part at the end may carry the signature of all that came before. Source: the same page
  if (text === '')
    return [{ type: 'opaque_block', index, replay: token(state, { text, ...thought, thoughtSignature: signature }) }];
  // Blank text becomes an opaque block: its part must be whole in the token.
  const blank = text.trim() === '' ? { text, ...thought } : {};
  return [
    delta(type, index, text),
    { type: 'block_end', index, replay: token(state, { ...blank, thoughtSignature: signature }) },
  ];
}

/** Pictures, code and whatever else: kept, not shown. */
function readOther(state: PartState, part: JsonObject): ModelEvent[] {
  if (Object.keys(part).length === 0) return [];
  const closed = closeText(state);
  return [...closed, { type: 'opaque_block', index: newIndex(state), replay: token(state, part as JsonValue) }];
}

function readCall(state: PartState, call: JsonObject, part: JsonObject): ModelEvent[] {
  const name = stringOr(call['name'], null);
  if (name === null) return readPiece(state, call, part);
  const closed = closeParts(state);
  const index = newIndex(state);
  const block: OpenCall = { type: 'call', index, name, args: startArguments(call['args']), signature: signatureOf(part) };
  state.open = block;
  state.hasCalls = true;
  addPieces(block.args, call);
  const start: ModelEvent = { type: 'tool_use_start', index, wireId: stringOr(call['id'], null), name };
  return [...closed, start, ...(call['willContinue'] === true ? [] : endCall(state, block))];
}

/** A piece without a name belongs to the open call; `{}` ends it, `{"willContinue":true}` alone says nothing. */
function readPiece(state: PartState, call: JsonObject, part: JsonObject): ModelEvent[] {
  const block = state.open;
  if (block?.type !== 'call') return [];
  block.signature ??= signatureOf(part);
  addPieces(block.args, call);
  return call['willContinue'] === true ? [] : endCall(state, block);
}

function addPieces(args: PartialArguments, call: JsonObject): void {
  for (const piece of asArray(call['partialArgs'])) addPartialArgument(args, asObject(piece));
}

function endCall(state: PartState, { index, name, args, signature }: OpenCall): ModelEvent[] {
  state.open = null;
  const json = JSON.stringify(args.input);
  // A text that was to go on and did not is cut, whatever the rest looks like.
  const parsed = args.isBroken || args.openPath !== null ? { input: null, malformedInput: json } : parseToolInput(json);
  const replay = signature === null ? {} : { replay: token(state, { thoughtSignature: signature }) };
  return [
    { type: 'tool_input_delta', index, json },
    { type: 'tool_use', index, name, ...parsed },
    { type: 'block_end', index, ...replay },
  ];
}

function signatureOf(part: JsonObject): string | null {
  return stringOr(part['thoughtSignature'], stringOr(part['thought_signature'], null));
}

function newIndex(state: PartState): number {
  return state.nextIndex++;
}

function token(state: PartState, data: JsonValue): ReplayToken {
  return { provider: state.provider, model: state.model, data };
}
