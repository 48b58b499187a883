import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ModelEvent } from '../../core/model.ts';
import type { ChatState } from './state.ts';

// What every chunk says again.
const REPEATED = new Set([
  'id',
  'object',
  'created',
  'model',
  'provider',
  'system_fingerprint',
  'service_tier',
  'choices',
  'obfuscation',
]);
const OF_CHOICE = new Set(['index', 'delta']);
const OF_DELTA = new Set(['tool_calls']);
const OF_PART = new Set(['index', 'type', 'function']);
const OF_FUNCTION = new Set(['arguments']);

/**
 * The plainest chunk, of which a long call has a hundred thousand: one more piece of the arguments of the call that came last. Null where
 * it says anything else, which the rest of the reader then looks for.
 */
export function readPlainFragment(state: ChatState, event: JsonObject): ModelEvent[] | null {
  const call = state.drafts.at(-1);
  if (call?.kind !== 'call' || !call.isAnnounced) return null;
  const choice = onlyItem(event['choices']);
  if (choice === null || choice['index'] !== call.choice || !saysOnly(event, REPEATED) || !saysOnly(choice, OF_CHOICE))
    return null;
  const { delta } = choice;
  const part = isJsonObject(delta) && saysOnly(delta, OF_DELTA) ? onlyItem(delta['tool_calls']) : null;
  if (part === null || part['index'] !== call.wireIndex || !saysOnly(part, OF_PART)) return null;
  const called = part['function'];
  if (!isJsonObject(called) || !saysOnly(called, OF_FUNCTION)) return null;
  const json = called['arguments'];
  if (typeof json !== 'string' || json === '') return null;
  call.json.add(json);
  return [{ type: 'tool_input_delta', index: call.index, json }];
}

function onlyItem(list: unknown): JsonObject | null {
  const first: unknown = Array.isArray(list) && list.length === 1 ? list[0] : null;
  return isJsonObject(first) ? first : null;
}

/** Every other field is empty. */
function saysOnly(object: JsonObject, fields: ReadonlySet<string>): boolean {
  for (const key in object) if (!fields.has(key) && object[key] != null && object[key] !== '') return false;
  return true;
}
