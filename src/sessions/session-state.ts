import type { JsonObject } from '../core/json-value.ts';
import { type Message, textOf, toolUsesOf } from '../core/message.ts';
import type { PermissionRule } from '../core/permission.ts';
import type { Compaction, PastJob, SessionState, SessionTurn } from '../core/session.ts';
import { type Conversation, conversationOf } from './conversation.ts';
import { lastMessageAt, lostAnswersIn } from './lost-answers.ts';
import { compactedOfRecord, messageOfRecord, noteOfRecord, subAgentStepOf, todosOfRecord } from './session-record.ts';

/** What a session comes to: every part of it is derived from its records, and nothing is kept beside them. */
export function stateOf(all: readonly (JsonObject | null)[]): Omit<SessionState, 'id' | 'notices'> {
  const conversation = conversationOf(all);
  const { records } = conversation;
  const lostAnswers = lostAnswersIn(records);
  // What a lost answer would have shown, the model has not seen.
  const shown = lostAnswers === null ? records : records.slice(0, lastMessageAt(records));
  return {
    messages: messagesIn(records),
    compaction: compactionIn(records),
    todos: records.map(todosOfRecord).findLast((todos) => todos !== null) ?? [],
    turns: turnsOf(conversation),
    turnCount: conversation.turnCount,
    callIds: [...messagesIn(all), ...messagesIn(all.map((record) => subAgentStepOf(record)?.event ?? null))].flatMap(idsOfCalls),
    seen: seenIn(shown),
    rules: rulesIn(all),
    jobs: jobsIn(all),
    lostAnswers,
  };
}

function idsOfCalls(message: Message): readonly string[] {
  return message.role === 'assistant' ? toolUsesOf(message).map(({ id }) => id) : [];
}

function messagesIn(records: readonly (JsonObject | null)[]): Message[] {
  return records.map(messageOfRecord).filter((message) => message !== null);
}

/** The last compaction. It counts messages back from its own line, so that a damaged line far before it shifts nothing. */
function compactionIn(records: readonly JsonObject[]): Compaction | null {
  const at = records.findLastIndex((record) => compactedOfRecord(record) !== null);
  const last = compactedOfRecord(records[at] ?? null);
  if (last === null) return null;
  const messageCount = messagesIn(records.slice(0, at)).length;
  return { summary: last.summary, firstKept: Math.max(0, messageCount - last.keptMessages) };
}

function turnsOf({ records, turns }: Conversation): SessionTurn[] {
  const found: { number: number; prompt: string | null }[] = [];
  for (const record of records) {
    if (record['type'] === 'run_start') found.push({ number: turns[found.length] ?? 0, prompt: null });
    const turn = found.at(-1);
    const message = messageOfRecord(record);
    if (turn?.prompt === null && message?.role === 'user') turn.prompt = textOf(message.content);
  }
  return found.map(({ number, prompt }) => ({ number, prompt: prompt ?? '' }));
}

function seenIn(records: readonly JsonObject[]): ReadonlyMap<string, string> {
  const notes = records.map(noteOfRecord);
  return new Map(notes.flatMap((note) => (note?.type === 'file_seen' ? [[note.path, note.version] as const] : [])));
}

/** A rewind does not take them back: a person gave them to the session. */
function rulesIn(all: readonly (JsonObject | null)[]): PermissionRule[] {
  return all.map(noteOfRecord).flatMap((note) => (note?.type === 'rule_added' ? [note.rule] : []));
}

/** How many lines of a session are those of its parent; the header counts as one. */
export function inheritedLines(header: JsonObject | null): number {
  return parentOf(header)?.lines ?? 0;
}

/** The session that one was forked from, the turn after which, and how many lines both have in common; or null. */
export function parentOf(
  header: JsonObject | null,
): { readonly id: string; readonly turn: number; readonly lines: number } | null {
  const parent = header?.['parent'];
  if (typeof parent !== 'object' || parent === null) return null;
  const { id, turn, lines } = parent as JsonObject;
  return typeof id === 'string' && typeof turn === 'number' && typeof lines === 'number' ? { id, turn, lines } : null;
}

function jobsIn(all: readonly (JsonObject | null)[]): PastJob[] {
  const jobs = new Map<string, PastJob>();
  for (const note of all.map(noteOfRecord)) {
    if (note?.type === 'job_started') jobs.set(note.id, { id: note.id, command: note.command, hasEnded: false });
    const known = note?.type === 'job_ended' ? jobs.get(note.id) : undefined;
    if (known !== undefined) jobs.set(known.id, { ...known, hasEnded: true });
  }
  return [...jobs.values()];
}
