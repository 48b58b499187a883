import type { JsonObject } from '../core/json-value.ts';
import { type Ledger, ledgerOf } from '../core/ledger.ts';
import { textOf } from '../core/message.ts';
import { readRecords } from './read-session.ts';
import { compactedOfRecord, ledgerRecordOf, messageOfRecord } from './session-record.ts';

/** What a session came to. */
export interface SessionReport {
  readonly id: string;
  /** Null where its first line does not say. */
  readonly createdAt: string | null;
  /** The one that it began with. */
  readonly model: string | null;
  /** Every one of the session, in the order of their first appearance. */
  readonly models: readonly string[];
  readonly firstPrompt: string | null;
  readonly messageCount: number;
  readonly compactionCount: number;
  readonly ledger: Ledger;
  readonly notices: readonly string[];
}

/** Reads a session file and adds it up. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readSessionReport(path: string): Promise<SessionReport> {
  const { id, records, notices } = await readRecords(path);
  const messages = records.map(messageOfRecord).filter((message) => message !== null);
  const firstPrompt = messages.find(({ role }) => role === 'user');
  const model = textAt(records[0], 'model');
  const answering = messages.flatMap((message) => (message.role === 'assistant' ? [message.model] : []));
  return {
    id,
    createdAt: textAt(records[0], 'createdAt'),
    model,
    models: [...new Set([...(model === null ? [] : [model]), ...answering])],
    firstPrompt: firstPrompt === undefined ? null : textOf(firstPrompt.content),
    messageCount: messages.length,
    compactionCount: records.filter((record) => compactedOfRecord(record) !== null).length,
    ledger: ledgerOf(records.map(ledgerRecordOf).filter((record) => record !== null)),
    notices,
  };
}

function textAt(header: JsonObject | null | undefined, key: string): string | null {
  const value = header?.[key];
  return typeof value === 'string' ? value : null;
}
