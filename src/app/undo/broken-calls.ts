import { toolUsesOf } from '../../core/message.ts';
import { readRecords } from '../../sessions/read-session.ts';
import { messageOfRecord } from '../../sessions/session-record.ts';

/** A call that had begun when its process was ended. What it changed until then was never looked at. */
export interface BrokenCall {
  readonly id: string;
  readonly name: string;
  /** What it was to do, as one text. */
  readonly subject: string;
}

/** Of a session, in order. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function brokenCalls(path: string): Promise<readonly BrokenCall[]> {
  const { records } = await readRecords(path);
  const idsOf = (type: string): ReadonlySet<unknown> =>
    new Set(records.flatMap((record) => (record?.['type'] === type ? [record['toolUseId']] : [])));
  const finished = idsOf('effect_finished');
  const begun = [...idsOf('effect_started')].filter((id): id is string => typeof id === 'string' && !finished.has(id));
  if (begun.length === 0) return [];
  const calls = new Map(
    records.flatMap((record) => {
      const message = record === null ? null : messageOfRecord(record);
      return message?.role === 'assistant' ? toolUsesOf(message).map((call) => [call.id, call] as const) : [];
    }),
  );
  return begun.map((id) => {
    const { name = 'a call of a sub-agent', input = {} } = calls.get(id) ?? {};
    return { id, name, subject: Object.values(Object(input)).find((value) => typeof value === 'string') ?? '' };
  });
}
