import { isUsage } from '../core/accounting.ts';
import { hasTexts, isCount, isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { LedgerRecord } from '../core/ledger.ts';
import type { Message } from '../core/message.ts';
import type { SessionNote } from '../core/session.ts';
import { TODO_STATUSES, type Todo } from '../core/todo-list.ts';

const NOTES: ReadonlySet<string> = new Set<SessionNote['type']>([
  'rewound',
  'session_named',
  'file_seen',
  'rule_added',
  'job_started',
  'job_ended',
]);

type Check = (value: JsonObject) => boolean;

/** One line of a session file, or null where it is damaged: no JSON, or not of the shape that its type promises. */
export function parseRecord(line: string): JsonObject | null {
  const record = parseJson(line);
  if (!isJsonObject(record) || typeof record['type'] !== 'string') return null;
  return isWhole(record) ? record : null;
}

function isWhole(record: JsonObject): boolean {
  const type = String(record['type']);
  // Own names only: a line may say that its type is "constructor".
  const check = Object.hasOwn(RECORDS, type) ? RECORDS[type] : undefined;
  return check === undefined || check(record);
}

/** The message that a whole record adds, or null. */
export function messageOfRecord(record: JsonObject | null): Message | null {
  // Its shape was checked when the line was parsed.
  return record?.['type'] === 'message_added' ? (record['message'] as Message) : null;
}

/** What a sub-agent did by a whole record, and the call that had started it; or null. Such an event is no step of the conversation. */
export function subAgentStepOf(record: JsonObject | null): { readonly callId: string; readonly event: JsonObject } | null {
  if (record?.['type'] !== 'sub_agent') return null;
  // Its shape was checked when the line was parsed.
  return { callId: record['agentId'] as string, event: record['event'] as JsonObject };
}

/** The summary that a whole record puts in place of messages, and how many of those before it stay; or null. */
export function compactedOfRecord(record: JsonObject | null): { readonly summary: string; readonly keptMessages: number } | null {
  if (record?.['type'] !== 'compacted') return null;
  // Its shape was checked when the line was parsed.
  return { summary: record['summary'] as string, keptMessages: record['keptMessages'] as number };
}

/** A whole record as a ledger takes it, or null where it is of no account. */
export function ledgerRecordOf(record: JsonObject | null): LedgerRecord | null {
  const step = subAgentStepOf(record);
  // Its requests were billed like any; its calls and messages are no part of the conversation.
  if (step !== null) return step.event['type'] === 'turn_end' ? ledgerRecordOf(step.event) : null;
  const type = record?.['type'];
  const isOfAccount =
    (type === 'run_start' && record?.['tools'] !== undefined) ||
    type === 'message_added' ||
    type === 'tool_time' ||
    type === 'turn_end';
  // Its shape was checked when the line was parsed.
  return isOfAccount ? (record as unknown as LedgerRecord) : null;
}

/** A whole record as what the session notes beside its events, or null. */
export function noteOfRecord(record: JsonObject | null): SessionNote | null {
  const type = record?.['type'];
  // Its shape was checked when the line was parsed.
  return typeof type === 'string' && NOTES.has(type) ? (record as unknown as SessionNote) : null;
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

/** What a line of each type must hold; other types pass. */
const RECORDS: Readonly<Record<string, Check>> = {
  message_added: (record) => isMessage(record['message']),
  sub_agent: ({ agentId, event }) => typeof agentId === 'string' && isJsonObject(event) && isWhole(event),
  todos: (record) => isListOf(record['list'], isTodo),
  compacted: (record) => hasTexts(record, 'summary') && isCount(record['keptMessages']),
  // Sessions of before 2026-12 do not name the tools.
  run_start: ({ tools, prompt }) =>
    (prompt === undefined || isCount(prompt)) &&
    (tools === undefined || isListOf(tools, (tool) => hasTexts(tool, 'name') && isCount(tool['schemaTokens']))),
  rewound: (record) => isCount(record['toTurn']),
  session_named: (record) => hasTexts(record, 'name'),
  file_seen: (record) => hasTexts(record, 'path', 'version'),
  rule_added: ({ rule }) => isJsonObject(rule) && isSessionRule(rule),
  job_started: (record) => hasTexts(record, 'id', 'command'),
  job_ended: (record) => hasTexts(record, 'id'),
  effect_started: (record) => hasTexts(record, 'toolUseId'),
  effect_finished: (record) => hasTexts(record, 'toolUseId'),
  tool_time: (record) => hasTexts(record, 'toolUseId') && isCount(record['durationMs']),
  turn_end: (record) => isUsage(record['usage']) && (record['cost'] === null || typeof record['cost'] === 'number'),
};

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

/** A person only ever allows for a session; a line that says otherwise was written by somebody else. */
function isSessionRule({ behavior, scope, tool, specifier, origin }: JsonObject): boolean {
  const isNamed = typeof tool === 'string' && typeof origin === 'string';
  return behavior === 'allow' && scope === 'session' && isNamed && (specifier === null || typeof specifier === 'string');
}

function isListOf(value: unknown, check: Check): boolean {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && check(item));
}
