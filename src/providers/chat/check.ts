import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';
import { type CallIdRule, fitsRule } from '../wire-ids.ts';

/** In what a server is stricter than OpenAI, or other. */
export interface ChatCheckRules {
  readonly callIds?: CallIdRule;
  readonly allowsUserAfterTool?: boolean;
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];
const MAX_TOOLS = 128;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * What a strict server refuses in the body of a chat completion: pairing, order, ids, arguments, blank text, images where none may be,
 * names and schemas. Sources: design notes, streaming 7, from the vendors' documents and recorded errors, 2026-08.
 */
export function chatFaults(body: unknown, rules: ChatCheckRules = {}): string[] {
  const { model, messages, tools } = asObject(body);
  const list = asArray(messages).map(asObject);
  return [
    ...(stringOr(model, null) === null ? ['no model is named'] : []),
    ...(list.length === 0 ? ['there are no messages'] : []),
    ...list.flatMap((message, i) =>
      [...messageFaults(message, i), ...orderFaults(list, i, rules)].map((fault) => `message ${i}: ${fault}`),
    ),
    ...idFaults(list, rules.callIds ?? 'openai'),
    ...toolFaults(tools),
  ];
}

function messageFaults(message: JsonObject, i: number): string[] {
  const role = stringOr(message['role'], '');
  if (!ROLES.includes(role)) return [`the role "${role}" is unknown`];
  const faults = contentFaults(message, role);
  if (role === 'system' && i > 0) faults.push('a system message behind the first place');
  if (role === 'assistant') faults.push(...callsIn(message).flatMap(callFaults));
  else if (message['tool_calls'] !== undefined) faults.push(`calls in a message of role ${role}`);
  if (!isWellFormed(message)) faults.push('half a character');
  return faults;
}

/** No half of a character stands anywhere in a value. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormed);
}

function contentFaults({ content, tool_calls }: JsonObject, role: string): string[] {
  if (content === null || content === undefined)
    return role === 'assistant' && asArray(tool_calls).length > 0 ? [] : ['no content'];
  if (typeof content === 'string') return content.trim() === '' ? ['blank text'] : [];
  const parts = asArray(content).map(asObject);
  return parts.length === 0 ? ['no content'] : parts.flatMap((part) => partFaults(part, role));
}

function partFaults(part: JsonObject, role: string): string[] {
  switch (part['type']) {
    case 'text':
      return stringOr(part['text'], '').trim() === '' ? ['blank text'] : [];
    case 'image_url':
      return role === 'user' ? [] : [`an image in a message of role ${role}`];
    case 'thinking':
      return role === 'assistant' ? [] : [`reasoning in a message of role ${role}`];
    default:
      return ['a part of an unknown type'];
  }
}

function callFaults(call: JsonObject): string[] {
  const called = asObject(call['function']);
  const faults = call['type'] === 'function' ? [] : ['a call that is no function'];
  if (!NAME.test(stringOr(called['name'], ''))) faults.push('a call whose name the server does not take');
  const input = parseArguments(called['arguments']);
  if (input === null) faults.push('arguments that are no JSON object');
  else if (!isWellFormed(input)) faults.push('half a character in arguments');
  return faults;
}

function parseArguments(text: unknown): JsonObject | null {
  try {
    const input: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return isJsonObject(input) ? input : null;
  } catch {
    return null;
  }
}

/** Each call has its answer directly after it, in call order; an answer has its call. */
function orderFaults(list: readonly JsonObject[], i: number, { allowsUserAfterTool = true }: ChatCheckRules): string[] {
  const message = list[i] ?? {};
  if (message['role'] === 'assistant') return answerFaults(list, i);
  const before = list[i - 1]?.['role'];
  if (message['role'] === 'user' && before === 'tool' && !allowsUserAfterTool)
    return ['a user message directly after a tool message'];
  if (message['role'] !== 'tool') return [];
  return before === 'assistant' || before === 'tool' ? [] : ['a tool message that answers nothing'];
}

function answerFaults(list: readonly JsonObject[], i: number): string[] {
  const wanted = callsIn(list[i] ?? {}).map((call) => call['id']);
  const after = list.slice(i + 1);
  const end = after.findIndex((message) => message['role'] !== 'tool');
  const given = (end === -1 ? after : after.slice(0, end)).map((message) => message['tool_call_id']);
  if (JSON.stringify(given) === JSON.stringify(wanted)) return [];
  return [`the calls ${wanted.join(', ') || 'of none'} are answered by ${given.join(', ') || 'none'}`];
}

function idFaults(list: readonly JsonObject[], rule: CallIdRule): string[] {
  const ids = list.flatMap(callsIn).map((call) => stringOr(call['id'], ''));
  return ids.flatMap((id, i) => [
    ...(fitsRule(id, rule) ? [] : [`the call id "${id}" is not of the form that the server takes`]),
    ...(ids.indexOf(id) < i ? [`the call id "${id}" is used twice`] : []),
  ]);
}

function callsIn(message: JsonObject): JsonObject[] {
  return asArray(message['tool_calls']).map(asObject);
}

function toolFaults(tools: unknown): string[] {
  if (tools === undefined) return [];
  const list = asArray(tools).map((tool) => asObject(asObject(tool)['function']));
  const names = list.map((tool) => stringOr(tool['name'], ''));
  return [
    ...(list.length === 0 ? ['the list of tools is empty'] : []),
    ...(list.length > MAX_TOOLS ? [`more than ${MAX_TOOLS} tools`] : []),
    ...names.filter((name) => !NAME.test(name)).map((name) => `the tool name "${name}" is not one that the server takes`),
    ...names.filter((name, i) => names.indexOf(name) < i).map((name) => `two tools are named ${name}`),
    ...list
      .filter((tool) => !isObjectSchema(tool['parameters']))
      .map((tool) => `the schema of ${String(tool['name'])} is no object`),
  ];
}

/** OpenAI refuses a union at the top too. */
function isObjectSchema(schema: unknown): boolean {
  const refused = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];
  return isJsonObject(schema) && schema['type'] === 'object' && !refused.some((word) => word in schema);
}
