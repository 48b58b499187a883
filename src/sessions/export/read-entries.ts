import type { JsonObject } from '../../core/json-value.ts';
import type { AssistantMessage, Message, ToolResultBlock, ToolUseBlock } from '../../core/message.ts';
import { textOf } from '../../core/message.ts';
import { messageOfRecord, todosOfRecord } from '../session-record.ts';
import { diffOfInput, type RecordedDiffs } from './file-diffs.ts';
import type { CallEntry, CallOutcome, Entry, PermissionMark } from './session-document.ts';
import { kindOf, subjectOf } from './tool-kind.ts';

/** What stands in a session of its calls besides the calls themselves. */
interface CallFacts {
  readonly permissions: ReadonlyMap<string, PermissionMark>;
  readonly results: ReadonlyMap<string, ToolResultBlock>;
  readonly durations: ReadonlyMap<string, number>;
}

type Records = readonly (JsonObject | null)[];

/** The transcript of a session, in the order in which it was written; each call has its answer with it. */
export function readEntries(records: Records, diffs: RecordedDiffs, cwd: string | null): readonly Entry[] {
  const facts = factsOf(records);
  const entries: Entry[] = [];
  const counts = { turn: 1, prompt: 0, call: 0 };
  const addAssistant = (message: AssistantMessage): void => {
    for (const block of message.content) {
      const { turn } = counts;
      if (block.type === 'thinking' && block.text.trim() !== '') entries.push({ type: 'thought', turn, text: block.text });
      if (block.type === 'text')
        entries.push({ type: 'answer', turn, model: message.model, state: message.state, text: block.text });
      if (block.type === 'tool_use') entries.push(callEntry(block, { ...counts, call: ++counts.call }, { facts, diffs, cwd }));
    }
  };
  for (const record of records) {
    if (record === null) continue;
    const message = messageOfRecord(record);
    if (message?.role === 'assistant') addAssistant(message);
    else if (message?.role === 'user' && isPrompt(message)) {
      const content = message.content.filter((block) => block.type !== 'tool_result');
      entries.push({ type: 'prompt', number: ++counts.prompt, atMs: timeOf(record), content });
    } else entries.push(...otherEntry(record, counts.turn));
    if (record['type'] === 'turn_end') counts.turn++;
  }
  return entries;
}

/** A time as of `Date.now()`, or null in sessions of before 2026-12. */
export function timeOf(record: JsonObject): number | null {
  return typeof record['at'] === 'number' ? record['at'] : null;
}

/** A message of the person; what stands behind results was added by wield or steers a run, and is one too. */
function isPrompt({ content }: Extract<Message, { role: 'user' }>): boolean {
  return content.some(({ type }) => type !== 'tool_result');
}

/** What a record of the log says besides messages. Its shape is that of the event which it is; a missing field is empty. */
function otherEntry(record: JsonObject, turn: number): readonly Entry[] {
  const text = (name: string): string => wordsOf(record[name]);
  switch (record['type']) {
    case 'todos':
      return [{ type: 'todos', turn, list: todosOfRecord(record) ?? [] }];
    case 'turn_end': {
      // Its usage and cost were checked when the line was parsed.
      const { usage, cost } = record as unknown as Extract<Entry, { type: 'turn' }>;
      return [
        { type: 'turn', turn, stopReason: text('stopReason') as Extract<Entry, { type: 'turn' }>['stopReason'], usage, cost },
      ];
    }
    case 'compacted': {
      // Its count was checked when the line was parsed.
      const keptMessages = record['keptMessages'] as number;
      const by = record['by'] === 'record' ? 'record' : 'model';
      return [{ type: 'compaction', turn, reason: text('reason'), summary: text('summary'), keptMessages, by }];
    }
    case 'message_replaced':
      return [{ type: 'asked_again', turn, reason: text('reason') }];
    case 'error':
      return errorEntry(record, turn);
    case 'run_end':
      // A word of ours; another one is shown as it is.
      return [
        { type: 'end', turn: Math.max(1, turn - 1), outcome: text('outcome') as Extract<Entry, { type: 'end' }>['outcome'] },
      ];
    default:
      return [];
  }
}

function errorEntry({ error }: JsonObject, turn: number): readonly Entry[] {
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return [];
  const { code, message, remedy } = error as JsonObject;
  // A code of a later version is shown as it is.
  const known = wordsOf(code) as Extract<Entry, { type: 'error' }>['error']['code'];
  return [{ type: 'error', turn, error: { code: known, message: wordsOf(message), remedy: wordsOf(remedy) } }];
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function callEntry(
  call: ToolUseBlock,
  { turn, call: number }: { readonly turn: number; readonly call: number },
  { facts, diffs, cwd }: { readonly facts: CallFacts; readonly diffs: RecordedDiffs; readonly cwd: string | null },
): CallEntry {
  const { id, name, input, malformedInput = null } = call;
  const result = facts.results.get(id);
  const permission = facts.permissions.get(id) ?? null;
  const kind = kindOf(name);
  const subject = subjectOf(input, cwd);
  const outcome = outcomeOf(result, permission);
  const said = kind === 'write' && outcome !== 'failed' && outcome !== 'denied' ? diffOfInput(call, subject) : [];
  return {
    type: 'call',
    number,
    turn,
    id,
    name,
    kind,
    subject,
    input,
    malformedInput,
    permission,
    durationMs: facts.durations.get(id) ?? null,
    outcome,
    exitCode: kind === 'command' && result !== undefined ? exitCodeOf(textOf(result.content)) : null,
    output: result?.content ?? [],
    changes: diffs.byCall.get(id) ?? said,
    isUndone: diffs.undone.has(id),
  };
}

function outcomeOf(result: ToolResultBlock | undefined, permission: PermissionMark | null): CallOutcome {
  if (permission?.decision === 'deny') return 'denied';
  if (result === undefined) return 'unknown';
  return result.isError ? 'failed' : 'succeeded';
}

/** The last line of a command's answer tells it. */
function exitCodeOf(text: string): number | null {
  const code = /<exit_code>(\d{1,3})<\/exit_code>/.exec(text.slice(-400))?.[1];
  return code === undefined ? null : Number(code);
}

function factsOf(records: Records): CallFacts {
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
