import type { JsonObject } from '../core/json-value.ts';
import type { ToolResultBlock, ToolUseBlock, UserMessage } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import { messageOfRecord } from './session-record.ts';

const NEVER_BEGUN =
  'Not run to its end: the session broke off first. By its record this call had not begun to change anything. Call it again if you still need it.';
const UNKNOWN_OUTCOME =
  'Unknown outcome: the session broke off while this call ran. It may have done all of it, a part, or nothing, and it was not run again. Look at what is there before you decide whether to do it again.';
const LOST_ANSWER =
  'It ran to its end, but the session broke off before its answer was kept, so whether it succeeded is not known. Look at what it did before you do it again.';

/**
 * The answers to calls that a crash left without one: one for each, in call order, saying what the record knows. Nothing is run again.
 * Null where the last message has no open calls. A message that failed has none: its calls never ran.
 */
export function lostAnswersIn(records: readonly JsonObject[]): UserMessage | null {
  const at = lastMessageAt(records);
  const message = messageOfRecord(records[at] ?? null);
  if (message?.role !== 'assistant' || message.state === 'failed') return null;
  const calls = toolUsesOf(message);
  if (calls.length === 0) return null;
  const marks = records.slice(at + 1);
  const started = idsOf(marks, 'effect_started');
  const finished = idsOf(marks, 'effect_finished');
  const textFor = ({ id }: ToolUseBlock): string => {
    if (finished.has(id)) return LOST_ANSWER;
    return started.has(id) ? UNKNOWN_OUTCOME : NEVER_BEGUN;
  };
  return { role: 'user', content: calls.map((call) => answerTo(call, textFor(call))) };
}

/** The index of the last message among records, or -1. */
export function lastMessageAt(records: readonly JsonObject[]): number {
  return records.findLastIndex((record) => messageOfRecord(record) !== null);
}

function idsOf(records: readonly JsonObject[], type: 'effect_started' | 'effect_finished'): ReadonlySet<unknown> {
  const marks = records.filter((record) => record['type'] === type);
  // What a sub-agent began, the call that had started it has begun.
  return new Set(marks.flatMap(({ toolUseId, onBehalfOf }) => [toolUseId, onBehalfOf]));
}

function answerTo({ id }: ToolUseBlock, text: string): ToolResultBlock {
  return { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }], isError: true };
}
