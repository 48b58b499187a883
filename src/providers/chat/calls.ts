import { GrowingText } from '../../core/growing-text.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ModelEvent } from '../../core/model.ts';
import { parseToolInput } from '../../core/tool-input.ts';
import { type CallDraft, callsOf, type ChatState } from './state.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';

interface Fragment {
  readonly choice: number;
  readonly wireIndex: number | null;
  readonly wireId: string | null;
  readonly name: string;
  readonly arguments: unknown;
  readonly extra: JsonObject | null;
}

/** Adds the fragments of calls that a delta carries to the calls that they belong to. */
export function readCalls(state: ChatState, choice: number, delta: JsonObject): ModelEvent[] {
  const parts = asArray(delta['tool_calls']);
  return parts.length === 0 ? [] : parts.flatMap((part) => addFragment(state, parseFragment(choice, asObject(part))));
}

function parseFragment(choice: number, part: JsonObject): Fragment {
  const called = asObject(part['function']);
  return {
    choice,
    wireIndex: typeof part['index'] === 'number' ? part['index'] : null,
    wireId: stringOr(part['id'], null),
    name: stringOr(called['name'], ''),
    arguments: called['arguments'],
    extra: isJsonObject(part['extra_content']) ? part['extra_content'] : null,
  };
}

function addFragment(state: ChatState, fragment: Fragment): ModelEvent[] {
  const call = findCall(state, fragment) ?? openCall(state, fragment);
  call.wireId ??= fragment.wireId;
  call.extra = fragment.extra ?? call.extra;
  if (fragment.name !== '') call.names.push(fragment.name);
  const json = takeArguments(call, fragment.arguments);
  if (call.isAnnounced) return json === '' ? [] : [{ type: 'tool_input_delta', index: call.index, json }];
  // Id and name may come late, and the start tells both. Source: vercel/ai ab81968
  return call.wireId === null || call.names.length === 0 ? [] : announceCall(call);
}

/** The call that a fragment goes on with, or null where it starts one. */
function findCall(state: ChatState, fragment: Fragment): CallDraft | null {
  const { choice, wireIndex, wireId, name } = fragment;
  const newest = state.drafts.at(-1);
  // The plain case, a hundred thousand times in a long call.
  if (wireId === null && wireIndex !== null && newest?.kind === 'call' && isAt(newest, choice, wireIndex)) return newest;
  const calls = callsOf(state).filter((call) => call.choice === choice);
  const atIndex = calls.filter((call) => wireIndex === null || call.wireIndex === wireIndex);
  const byId = wireId === null ? undefined : atIndex.findLast((call) => call.wireId === wireId);
  if (byId !== undefined) return byId;
  const last = atIndex.at(-1);
  if (last === undefined) return null;
  // Mistral, old Ollama and Gemini's door send no index: then a name starts a call. Source: recorded streams
  if (wireIndex === null) return wireId === null && name === '' ? last : null;
  // A new id at a used index is a new call (source: ollama/ollama#15457), a first id one that came late.
  return wireId === null || (last.wireId === null && isSameName(last, name)) ? last : null;
}

function isAt(call: CallDraft, choice: number, wireIndex: number): boolean {
  return call.choice === choice && call.wireIndex === wireIndex;
}

function isSameName(call: CallDraft, name: string): boolean {
  return name === '' || call.names.length === 0 || call.names[0] === name;
}

function openCall(state: ChatState, { choice, wireIndex, wireId }: Fragment): CallDraft {
  const index = state.drafts.length;
  const call: CallDraft = {
    kind: 'call',
    index,
    choice,
    wireIndex,
    wireId,
    names: [],
    json: new GrowingText(),
    isAnnounced: false,
    extra: null,
  };
  state.drafts.push(call);
  return call;
}

/** Takes a piece of the arguments and returns what of it is new. Null and nothing at all are no arguments. */
function takeArguments(call: CallDraft, value: unknown): string {
  if (typeof value === 'string') {
    call.json.add(value);
    return value;
  }
  if (!isJsonObject(value)) return '';
  // The arguments as an object, whole. Source: BerriAI/litellm#37792
  const isFirst = String(call.json) === '';
  const json = JSON.stringify(value);
  call.json = new GrowingText();
  call.json.add(json);
  return isFirst ? json : '';
}

/** The start of a call, with what is known of its arguments. */
export function announceCall(call: CallDraft): ModelEvent[] {
  if (call.isAnnounced) return [];
  call.isAnnounced = true;
  const { index, wireId } = call;
  const json = String(call.json);
  const start: ModelEvent = { type: 'tool_use_start', index, wireId, name: call.names[0] ?? '' };
  return json === '' ? [start] : [start, { type: 'tool_input_delta', index, json }];
}

/** A whole call. */
export function toolUseOf(state: ChatState, call: CallDraft): ModelEvent {
  return { type: 'tool_use', index: call.index, name: nameOf(state, call), ...parseToolInput(String(call.json)) };
}

/** The first name that came, as some repeat it in every fragment (source: ggml-org/llama.cpp#13774); with its further parts only where the sum is a tool and they are none. */
function nameOf({ toolNames }: ChatState, { names }: CallDraft): string {
  const sum = names.join('');
  return toolNames.has(sum) && !names.slice(1).some((part) => toolNames.has(part)) ? sum : (names[0] ?? '');
}
