import type { JsonObject } from '../core/json-value.ts';
import { type Ledger, ledgerOf } from '../core/ledger.ts';
import { textOf } from '../core/message.ts';
import type { SessionTurn } from '../core/session.ts';
import { promptNumbers } from './conversation.ts';
import { readRecords } from './read-session.ts';
import { compactedOfRecord, ledgerRecordOf, messageOfRecord, noteOfRecord } from './session-record.ts';
import { parentOf, stateOf } from './session-state.ts';

/** What a session came to. */
export interface SessionReport {
  readonly id: string;
  /** Null where its first line does not say. */
  readonly createdAt: string | null;
  /** The one that it began with. */
  readonly model: string | null;
  /** Every one of the session, in the order of their first appearance. */
  readonly models: readonly string[];
  /** What a person called it, or null. */
  readonly name: string | null;
  /** The session that it was forked from and the turn after which, or null. */
  readonly parent: { readonly id: string; readonly turn: number } | null;
  /** Of a fork, its own first one. */
  readonly firstPrompt: string | null;
  /** The prompts that hold, with their numbers. */
  readonly prompts: readonly SessionTurn[];
  /** Prompts that were rewound. */
  readonly rewoundCount: number;
  /** Of the conversation as it holds. */
  readonly messageCount: number;
  readonly compactionCount: number;
  /** Of all that was done, rewound or not; of a fork, what it did itself. */
  readonly ledger: Ledger;
  readonly notices: readonly string[];
}

/** Reads a session file and adds it up. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readSessionReport(path: string): Promise<SessionReport> {
  const { id, records, notices } = await readRecords(path);
  const header = records[0] ?? null;
  const { turns, messages } = stateOf(records);
  const parent = parentOf(header);
  const own = records.slice(parent?.lines ?? 0);
  const model = textAt(header, 'model');
  const answering = messages.flatMap((message) => (message.role === 'assistant' ? [message.model] : []));
  return {
    id,
    createdAt: textAt(header, 'createdAt'),
    model,
    models: [...new Set([...(model === null ? [] : [model]), ...answering])],
    name: own.map(noteOfRecord).findLast((note) => note?.type === 'session_named')?.name ?? null,
    parent: parent === null ? null : { id: parent.id, turn: parent.turn },
    firstPrompt: firstPromptOf(own) ?? firstPromptOf(records),
    prompts: turns,
    rewoundCount: promptNumbers(records).filter((number) => !turns.some((turn) => turn.number === number)).length,
    messageCount: messages.length,
    compactionCount: records.filter((record) => compactedOfRecord(record) !== null).length,
    ledger: ledgerOf(own.map(ledgerRecordOf).filter((record) => record !== null)),
    notices,
  };
}

function firstPromptOf(records: readonly (JsonObject | null)[]): string | null {
  for (const record of records) {
    const message = messageOfRecord(record);
    if (message?.role === 'user' && message.content[0]?.type !== 'tool_result') return textOf(message.content);
  }
  return null;
}

function textAt(header: JsonObject | null | undefined, key: string): string | null {
  const value = header?.[key];
  return typeof value === 'string' ? value : null;
}
