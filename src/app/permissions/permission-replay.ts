import { join } from 'node:path';
import type { JsonObject } from '../../core/json-value.ts';
import type { Decision } from '../../core/permission.ts';
import { isSessionId, missing, readRecords } from '../../sessions/read-session.ts';
import { messageOfRecord } from '../../sessions/session-record.ts';
import type { PermissionDesk } from './permission-desk.ts';
import { sessionsFolder } from '../user-folders.ts';

/** A call of a session: what was decided then, and what the present rules would decide. Null is not known. */
export interface ReplayedCall {
  readonly tool: string;
  readonly input: unknown;
  /** What the gate said; a question that a person answered is `ask`. */
  readonly before: Decision | null;
  readonly now: Decision | null;
  readonly because: string;
}

/** Judges the calls of a session again; nothing runs. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function replayPermissions(desk: PermissionDesk, sessionId: string): Promise<readonly ReplayedCall[]> {
  if (!isSessionId(sessionId)) throw missing(`There is no session ${sessionId} here.`);
  const { records } = await readRecords(join(sessionsFolder(desk.folders, desk.cwd), `${sessionId}.jsonl`));
  const decided = new Map(records.flatMap(decisionOf));
  const replayed: ReplayedCall[] = [];
  for (const { id, name, input } of records.flatMap(callsOf)) {
    const call = { tool: name, input, before: decided.get(id) ?? null };
    try {
      const { decision, because } = await desk.judge(name, input);
      replayed.push({ ...call, now: decision, because });
    } catch (thrown) {
      replayed.push({ ...call, now: null, because: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
  return replayed;
}

/** True where the present rules decide otherwise than those of the session. */
export function hasChanged({ before, now }: ReplayedCall): boolean {
  return before !== null && now !== null && before !== now;
}

interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function callsOf(record: JsonObject | null): RecordedCall[] {
  const message = messageOfRecord(record);
  if (message?.role !== 'assistant' || message.state !== 'complete') return [];
  return message.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
  );
}

function decisionOf(record: JsonObject | null): [string, Decision][] {
  if (record?.['type'] !== 'permission_decided' || typeof record['toolUseId'] !== 'string') return [];
  const { by, decision, toolUseId } = record;
  if (by === 'user' || by === 'headless') return [[toolUseId, 'ask']];
  return decision === 'allow' || decision === 'deny' ? [[toolUseId, decision]] : [];
}
