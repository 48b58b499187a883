import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { Message } from '../core/message.ts';
import { TODO_STATUSES, type Todo } from '../core/todo-list.ts';

type Check = (value: JsonObject) => boolean;

/** One line of a session file, or null where it is damaged: no JSON, or not of the shape that its type promises. */
export function parseRecord(line: string): JsonObject | null {
  const record = parseJson(line);
  if (!isJsonObject(record) || typeof record['type'] !== 'string') return null;
  if (record['type'] === 'message_added') return isMessage(record['message']) ? record : null;
  if (record['type'] === 'todos') return isListOf(record['list'], isTodo) ? record : null;
  return record;
}

/** The message that a whole record adds, or null. */
export function messageOfRecord(record: JsonObject | null): Message | null {
  // Its shape was checked when the line was parsed.
  return record?.['type'] === 'message_added' ? (record['message'] as Message) : null;
}

/** The plan that a whole record sets, or null. */
export function todosOfRecord(record: JsonObject | null): readonly Todo[] | null {
  // Its shape was checked when the line was parsed.
  return record?.['type'] === 'todos' ? (record['list'] as readonly Todo[]) : null;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (value['role'] === 'user') return isListOf(value['content'], (block) => isBlock(block, USER_BLOCKS));
  return (
    value['role'] === 'assistant' &&
    isListOf(value['content'], (block) => isBlock(block, ASSISTANT_BLOCKS)) &&
    ['complete', 'cut', 'failed'].includes(String(value['state'])) &&
    hasTexts(value, 'provider', 'model')
  );
}

const RESULT_BLOCKS: Readonly<Record<string, Check>> = {
  text: (block) => hasTexts(block, 'text'),
  image: (block) => hasTexts(block, 'mediaType', 'data'),
};

const USER_BLOCKS: Readonly<Record<string, Check>> = {
  ...RESULT_BLOCKS,
  tool_result: (block) =>
    hasTexts(block, 'toolUseId') &&
    typeof block['isError'] === 'boolean' &&
    isListOf(block['content'], (inner) => isBlock(inner, RESULT_BLOCKS)),
};

const ASSISTANT_BLOCKS: Readonly<Record<string, Check>> = {
  text: (block) => hasTexts(block, 'text'),
  thinking: (block) => hasTexts(block, 'text') && isReplayOrAbsent(block['replay']),
  tool_use: (block) =>
    hasTexts(block, 'id', 'name') &&
    (block['wireId'] === null || hasTexts(block, 'wireId')) &&
    (block['malformedInput'] === undefined || hasTexts(block, 'malformedInput')) &&
    isReplayOrAbsent(block['replay']),
  opaque: (block) => block['replay'] !== undefined && isReplayOrAbsent(block['replay']),
};

function isBlock(block: JsonObject, checks: Readonly<Record<string, Check>>): boolean {
  const type = String(block['type']);
  // Own names only: "constructor" is no type of block.
  return Object.hasOwn(checks, type) && checks[type]?.(block) === true;
}

function isReplayOrAbsent(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && hasTexts(value, 'provider', 'model') && 'data' in value);
}

function isTodo(value: JsonObject): boolean {
  return hasTexts(value, 'id', 'content') && TODO_STATUSES.some((status) => status === value['status']);
}

function isListOf(value: unknown, check: Check): boolean {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && check(item));
}

function hasTexts(value: JsonObject, ...names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}
