import type { JsonObject } from '../../core/json-value.ts';
import type { ToolResultBlock } from '../../core/message.ts';
import { messageOfRecord } from '../session-record.ts';
import type { CallOutcome, PermissionMark } from './session-document.ts';

/** What stands in a session of its calls besides the calls themselves. */
export interface CallFacts {
  readonly permissions: ReadonlyMap<string, PermissionMark>;
  readonly results: ReadonlyMap<string, ToolResultBlock>;
  readonly durations: ReadonlyMap<string, number>;
}

/** Reads them from the records of one conversation. */
export function factsOf(records: readonly (JsonObject | null)[]): CallFacts {
  const permissions = new Map<string, PermissionMark>();
  const results = new Map<string, ToolResultBlock>();
  const durations = new Map<string, number>();
  for (const record of records) {
    if (record === null) continue;
    const { type, toolUseId } = record;
    const message = messageOfRecord(record);
    if (message?.role === 'user')
      for (const block of message.content) if (block.type === 'tool_result') results.set(block.toolUseId, block);
    if (typeof toolUseId !== 'string') continue;
    // Its duration was checked when the line was parsed.
    if (type === 'tool_time') durations.set(toolUseId, record['durationMs'] as number);
    if (type === 'permission_decided') {
      // Words of ours; other ones are shown as they are.
      const [by, decision] = [wordsOf(record['by']), wordsOf(record['decision'])] as [
        PermissionMark['by'],
        PermissionMark['decision'],
      ];
      permissions.set(toolUseId, { by, decision, because: wordsOf(record['because']) });
    }
  }
  return { permissions, results, durations };
}

/** How a call ended, by its answer and by what was decided. */
export function outcomeOf(result: ToolResultBlock | undefined, permission: PermissionMark | null): CallOutcome {
  if (permission?.decision === 'deny') return 'denied';
  if (result === undefined) return 'unknown';
  return result.isError ? 'failed' : 'succeeded';
}

/** A text of a record; of another kind it is empty. */
export function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
