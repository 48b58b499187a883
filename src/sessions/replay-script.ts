import type { RunOutcome } from '../core/agent-event.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { AssistantMessage, ToolResultBlock, UserMessage } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import type { StopReason } from '../core/model.ts';
import { turnNumbers } from './conversation.ts';
import { messageOfRecord, subAgentStepOf } from './session-record.ts';

/** What a person, a rule or a hook said to a call. */
export interface RecordedDecision {
  readonly by: 'rule' | 'user' | 'hook' | 'headless';
  readonly decision: 'allow' | 'deny';
  readonly because: string;
  readonly editedInput?: unknown;
}

/** A call of a session, and what came of it; null where the session does not say. */
export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The prompt that it belongs to, from 1. */
  readonly prompt: number;
  readonly decision: RecordedDecision | null;
  readonly result: ToolResultBlock | null;
}

export interface RecordedReply {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
}

/** A prompt and all that the model said to it. */
export interface RecordedPrompt {
  /** As a person knows it: after a rewind numbers are left out. */
  readonly number: number;
  readonly content: UserMessage['content'];
  readonly replies: readonly RecordedReply[];
  /** Messages of the session before it, and with all of it. */
  readonly firstMessage: number;
  readonly endMessage: number;
  /** Null where the process ended before the run. */
  readonly outcome: RunOutcome | null;
  readonly records: readonly JsonObject[];
}

/** All that the model said to a sub-agent, and the prompt to which that belongs, from 1. */
export interface RecordedTask {
  readonly prompt: number;
  readonly replies: readonly RecordedReply[];
}

/** What a session did, as a replay plays it. */
export interface Script {
  readonly prompts: readonly RecordedPrompt[];
  /** By the call that started the sub-agent. */
  readonly tasks: ReadonlyMap<string, RecordedTask>;
  /** Those of sub-agents too. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
}

/** True where a call was allowed: it had files to start from. */
export function hasRun({ calls }: Pick<Script, 'calls'>): boolean {
  return [...calls.values()].some(({ decision }) => decision?.decision === 'allow');
}

type Replies = { message: AssistantMessage; stopReason: StopReason }[];

interface OpenPrompt extends RecordedPrompt {
  readonly replies: Replies;
  endMessage: number;
  outcome: RunOutcome | null;
  readonly records: JsonObject[];
}

/** Reads the records of a session into a script. */
export function readScript(records: readonly (JsonObject | null)[]): Script {
  const prompts: OpenPrompt[] = [];
  const tasks = new Map<string, { readonly prompt: number; readonly replies: Replies }>();
  const results = new Map<string, ToolResultBlock>();
  const decisions = new Map<string, RecordedDecision>();
  const turns = turnNumbers(records);
  let messages = 0;
  for (const [i, record] of records.entries()) {
    if (record === null) continue;
    const step = subAgentStepOf(record);
    if (step !== null) {
      const task = tasks.get(step.callId) ?? { prompt: prompts.length, replies: [] };
      tasks.set(step.callId, task);
      noteCalls(step.event, { results, decisions });
      addReply(task.replies, step.event);
      continue;
    }
    const message = messageOfRecord(record);
    if (message?.role === 'user' && message.content[0]?.type !== 'tool_result') {
      const place = { firstMessage: messages, endMessage: messages + 1, outcome: null };
      prompts.push({ number: turns[i] || prompts.length + 1, content: message.content, replies: [], records: [], ...place });
    }
    const open = prompts.at(-1);
    if (message !== null) messages++;
    noteCalls(record, { results, decisions });
    if (open === undefined) continue;
    open.endMessage = messages;
    open.records.push(record);
    addToPrompt(open, record);
  }
  const asked = [...prompts.map(({ replies }, i) => ({ prompt: i + 1, replies })), ...tasks.values()];
  return { prompts, tasks, calls: callsOf(asked, { results, decisions }) };
}

function addReply(replies: Replies, record: JsonObject): void {
  const message = messageOfRecord(record);
  if (message?.role === 'assistant')
    replies.push({ message, stopReason: toolUsesOf(message).length > 0 ? 'tool_use' : 'end_turn' });
  const last = replies.at(-1);
  // Its words are ours.
  if (record['type'] === 'turn_end' && last !== undefined && typeof record['stopReason'] === 'string')
    last.stopReason = record['stopReason'] as StopReason;
}

function addToPrompt(open: OpenPrompt, record: JsonObject): void {
  addReply(open.replies, record);
  if (record['type'] === 'run_end' && typeof record['outcome'] === 'string') open.outcome = record['outcome'] as RunOutcome;
}

interface CallFacts {
  readonly results: Map<string, ToolResultBlock>;
  readonly decisions: Map<string, RecordedDecision>;
}

function noteCalls(record: JsonObject, { results, decisions }: CallFacts): void {
  const message = messageOfRecord(record);
  if (message?.role === 'user')
    for (const block of message.content) if (block.type === 'tool_result') results.set(block.toolUseId, block);
  const { type, toolUseId, by, decision, because, editedInput } = record;
  if (type !== 'permission_decided' || typeof toolUseId !== 'string' || typeof because !== 'string') return;
  if (decision !== 'allow' && decision !== 'deny') return;
  if (by !== 'rule' && by !== 'user' && by !== 'hook' && by !== 'headless') return;
  decisions.set(toolUseId, { by, decision, because, ...(editedInput === undefined ? {} : { editedInput }) });
}

function callsOf(asked: readonly RecordedTask[], { results, decisions }: CallFacts): ReadonlyMap<string, RecordedCall> {
  const calls = asked.flatMap(({ prompt, replies }) =>
    replies
      .flatMap(({ message }) => toolUsesOf(message))
      .map(({ id, name, input }): RecordedCall => {
        return { id, name, input, prompt, decision: decisions.get(id) ?? null, result: results.get(id) ?? null };
      }),
  );
  return new Map(calls.map((call) => [call.id, call]));
}

/** The events of a run that do not depend on a clock or a provider, a line each: what two runs have in common. */
export function eventLines(records: readonly unknown[]): readonly string[] {
  const lines: string[] = [];
  let decided: string[] = [];
  const flush = (): void => {
    // Reads that run side by side are decided in any order.
    lines.push(...decided.toSorted());
    decided = [];
  };
  for (const record of records) {
    if (!isJsonObject(record)) continue;
    if (record['type'] === 'permission_decided') {
      decided.push(`permission of ${String(record['toolUseId'])}: ${String(record['decision'])} by ${String(record['by'])}`);
      continue;
    }
    const line = lineOf(record);
    if (line === null) continue;
    if (record['type'] !== 'message_added' || messageRole(record) === 'user') flush();
    lines.push(line);
  }
  flush();
  return lines;
}

function lineOf(record: JsonObject): string | null {
  switch (record['type']) {
    case 'message_added':
      return `message of the ${messageRole(record)}`;
    case 'todos':
      return `plan: ${JSON.stringify(record['list'])}`;
    case 'turn_end':
      return `answer ends with ${String(record['stopReason'])}`;
    case 'run_end':
      return `run ends: ${String(record['outcome'])}`;
    default:
      return null;
  }
}

function messageRole({ message }: JsonObject): string {
  return isJsonObject(message) ? String(message['role']) : '';
}
