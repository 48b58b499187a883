import type { JsonObject } from '../../core/json-value.ts';
import type { AssistantMessage, Message, ToolUseBlock } from '../../core/message.ts';
import { textOf } from '../../core/message.ts';
import { conversationOf, turnNumbers } from '../conversation.ts';
import { messageOfRecord, todosOfRecord } from '../session-record.ts';
import { parentOf } from '../session-state.ts';
import { type CallFacts, factsOf, outcomeOf, wordsOf } from './call-facts.ts';
import { diffOfInput, type RecordedDiffs } from './file-diffs.ts';
import { readSubAgents } from './read-sub-agents.ts';
import type { CallEntry, Entry, SubAgentWork } from './session-document.ts';
import { kindOf, subjectOf } from './tool-kind.ts';

/** As far as a date goes. */
const MAX_DATE_MS = 8.64e15;

type Records = readonly (JsonObject | null)[];

/** The transcript of a session, in the order in which it was written; each call has its answer with it. */
export function readEntries(records: Records, diffs: RecordedDiffs, cwd: string | null): readonly Entry[] {
  const facts = factsOf(records);
  const subAgents = readSubAgents(records, cwd);
  const entries: Entry[] = [];
  const counts = { turn: 1, prompt: 0, call: 0 };
  const branches = branchesOf(records);
  const parent = parentOf(records[0] ?? null);
  const addAssistant = (message: AssistantMessage): void => {
    for (const block of message.content) {
      const { turn } = counts;
      if (block.type === 'thinking' && block.text.trim() !== '') entries.push({ type: 'thought', turn, text: block.text });
      if (block.type === 'text')
        entries.push({ type: 'answer', turn, model: message.model, state: message.state, text: block.text });
      if (block.type === 'tool_use')
        entries.push(callEntry(block, { ...counts, call: ++counts.call }, { facts, diffs, cwd, subAgents }));
    }
  };
  for (const [i, record] of records.entries()) {
    if (parent !== null && i === parent.lines)
      entries.push({ type: 'forked', turn: counts.turn, from: { id: parent.id, prompt: parent.turn } });
    if (record === null) continue;
    const message = messageOfRecord(record);
    if (message?.role === 'assistant') addAssistant(message);
    else if (message?.role === 'user' && isPrompt(message)) {
      const content = message.content.filter((block) => block.type !== 'tool_result');
      branches.lastPrompts.set(branches.turns[i] ?? 0, ++counts.prompt);
      const isRewound = isLeft(i, branches);
      entries.push({ type: 'prompt', number: counts.prompt, atMs: timeOf(record), isRewound, content });
    } else if (record['type'] === 'rewound') {
      const toPrompt = branches.lastPrompts.get(branches.turns[i] ?? 0) ?? 0;
      entries.push({ type: 'rewound', turn: counts.turn, toPrompt, isRewound: isLeft(i, branches) });
    } else entries.push(...otherEntry(record, counts.turn));
    if (record['type'] === 'turn_end') counts.turn++;
  }
  return entries;
}

/** With rewinds a session is a tree: the turn that each record belongs to, those that hold, and the last prompt of each so far. */
interface Branches {
  readonly turns: readonly number[];
  readonly holding: ReadonlySet<number>;
  readonly lastPrompts: Map<number, number>;
}

function branchesOf(records: Records): Branches {
  return { turns: turnNumbers(records), holding: new Set(conversationOf(records).turns), lastPrompts: new Map() };
}

function isLeft(i: number, { turns, holding }: Branches): boolean {
  const turn = turns[i] ?? 0;
  return turn !== 0 && !holding.has(turn);
}

/** A time as of `Date.now()`, or null in sessions of before 2026-12. */
export function timeOf(record: JsonObject): number | null {
  const { at } = record;
  return typeof at === 'number' && Math.abs(at) <= MAX_DATE_MS ? at : null;
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

interface CallPlace {
  readonly facts: CallFacts;
  readonly diffs: RecordedDiffs;
  readonly cwd: string | null;
  readonly subAgents: ReadonlyMap<string, SubAgentWork>;
}

function callEntry(
  call: ToolUseBlock,
  { turn, call: number }: { readonly turn: number; readonly call: number },
  { facts, diffs, cwd, subAgents }: CallPlace,
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
    subAgent: subAgents.get(id) ?? null,
  };
}

/** The last line of a command's answer tells it. */
function exitCodeOf(text: string): number | null {
  const code = /<exit_code>(\d{1,3})<\/exit_code>/.exec(text.slice(-400))?.[1];
  return code === undefined ? null : Number(code);
}
