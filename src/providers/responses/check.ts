import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';

/** What a strict server refuses in a body for OpenAI Responses; empty where it takes it. Sources: the vendor's reference; reports as noted. */
export function responsesFaults(body: unknown): string[] {
  const request = asObject(body);
  const items = asArray(request['input']).map(asObject);
  return [
    ...(stringOr(request['model'], null) === null ? ['the request names no model'] : []),
    ...(items.length === 0 ? ['the input is empty'] : []),
    ...items.flatMap(itemFaults),
    ...pairingFaults(items),
    ...(request['store'] === false ? reasoningFaults(items) : []),
    ...toolFaults(request['tools']),
  ];
}

function itemFaults(item: JsonObject, i: number): string[] {
  switch (item['type']) {
    case 'message':
      return messageFaults(item, i);
    case 'function_call':
      return callFaults(item, i);
    case 'function_call_output':
      return outputFaults(item, i);
    default:
      return item['type'] === undefined ? [`item ${i} has no type`] : [];
  }
}

const PARTS_OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image'],
  assistant: ['output_text', 'refusal'],
};

function messageFaults(item: JsonObject, i: number): string[] {
  const allowed = PARTS_OF_ROLE[String(item['role'])];
  const parts = asArray(item['content']).map(asObject);
  if (allowed === undefined) return [`item ${i} has the role ${String(item['role'])}`];
  if (parts.length === 0) return [`item ${i} has no content`];
  return parts.flatMap((part) => partFaults(part, `item ${i}`, allowed));
}

function partFaults(part: JsonObject, place: string, allowed: readonly string[]): string[] {
  const type = String(part['type']);
  if (!allowed.includes(type)) return [`${place} has a part of type ${type}`];
  if (type === 'input_image') return imageFaults(part['image_url'], place);
  const text = part['text'] ?? part['refusal'];
  if (typeof text !== 'string' || text.trim() === '') return [`${place} has blank text`];
  return text.isWellFormed() ? [] : [`${place} has half a character`];
}

function imageFaults(url: unknown, place: string): string[] {
  return typeof url === 'string' && /^(?:data:image\/[a-z]+;base64,\S+|https?:)/.test(url)
    ? []
    : [`${place} has a bad image_url`];
}

const SAFE_WORD = /^[a-zA-Z0-9_-]{1,64}$/;

function callFaults(item: JsonObject, i: number): string[] {
  return [
    ...(SAFE_WORD.test(String(item['call_id'])) ? [] : [`item ${i} has a bad call_id`]),
    ...(SAFE_WORD.test(String(item['name'])) ? [] : [`item ${i} has a bad name`]),
    ...(isObjectText(item['arguments']) ? [] : [`the arguments of item ${i} are no JSON object`]),
    ...(item['id'] === undefined || /^fc_[a-zA-Z0-9_-]{1,61}$/.test(stringOr(item['id'], '')) ? [] : [`item ${i} has a bad id`]),
  ];
}

function isObjectText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return isJsonObject(JSON.parse(value));
  } catch {
    return false;
  }
}

function outputFaults(item: JsonObject, i: number): string[] {
  const output = item['output'];
  if (typeof output === 'string') return output.isWellFormed() ? [] : [`item ${i} has half a character`];
  if (!Array.isArray(output) || output.length === 0) return [`item ${i} has no output`];
  return output.map(asObject).flatMap((part) => partFaults(part, `item ${i}`, ['input_text', 'input_image']));
}

/** Calls stand together, their outputs directly after them, one each and in their order: DeepSeek refuses anything else. Source: a recorded 400. */
function pairingFaults(items: readonly JsonObject[]): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  let isAnswering = false;
  items.forEach((item, i) => {
    const id = String(item['call_id']);
    if (item['type'] === 'function_call') {
      if (isAnswering && open.length > 0) faults.push(`item ${i} is a call before ${open.join(', ')} is answered`);
      if (used.has(id)) faults.push(`the call_id ${id} is used twice`);
      used.add(id);
      open.push(id);
      isAnswering = false;
    } else if (item['type'] === 'function_call_output') {
      if (open[0] !== id) faults.push(`item ${i} answers ${id}; wanted ${open[0] ?? 'nothing'}`);
      open = open.filter((waiting) => waiting !== id);
      isAnswering = true;
    } else if (item['type'] === 'message' && open.length > 0) faults.push(`item ${i} stands between a call and its output`);
  });
  return open.length === 0 ? faults : [...faults, `No tool output found for function call ${open.join(', ')}`];
}

/** With store: false reasoning must be sealed, nameless, and followed by what it led to. Source: vercel/ai#7099, anomalyco/opencode#5104 */
function reasoningFaults(items: readonly JsonObject[]): string[] {
  return items.flatMap((item, i) => {
    if (item['type'] !== 'reasoning') return [];
    const next = items[i + 1];
    const isFollowed = next?.['type'] !== undefined && next['type'] !== 'function_call_output' && next['role'] !== 'user';
    return [
      ...(stringOr(item['encrypted_content'], null) === null ? [`item ${i} is reasoning without encrypted_content`] : []),
      ...(item['id'] === undefined ? [] : [`Item with id ${stringOr(item['id'], '?')} not found`]),
      ...(Array.isArray(item['summary']) ? [] : [`item ${i} has no summary`]),
      ...(isFollowed ? [] : [`item ${i} of type reasoning was provided without its required following item`]),
    ];
  });
}

const MAX_TOOLS = 128;

function toolFaults(value: unknown): string[] {
  if (value === undefined) return [];
  const tools = asArray(value).map(asObject);
  const names = tools.map((tool) => String(tool['name']));
  return [
    ...(tools.length > MAX_TOOLS ? [`${tools.length} tools are more than ${MAX_TOOLS}`] : []),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `two tools are named ${name}`),
    ...tools.flatMap((tool) => oneToolFaults(tool, String(tool['name']))),
  ];
}

const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];

function oneToolFaults(tool: JsonObject, name: string): string[] {
  const schema = asObject(tool['parameters']);
  const refused = REFUSED_AT_TOP.filter((keyword) => schema[keyword] !== undefined);
  return [
    ...(tool['type'] === 'function' ? [] : [`the tool ${name} is no function`]),
    ...(SAFE_WORD.test(name) ? [] : [`the tool name ${name} is refused`]),
    ...(schema['type'] === 'object' ? [] : [`the schema of ${name} is no object`]),
    ...refused.map((keyword) => `the schema of ${name} has ${keyword} at its top`),
  ];
}
