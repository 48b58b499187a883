import type { ErrorRecord } from './errors.ts';
import type { Message } from './message.ts';
import type { ModelEvent, StopReason, Usage } from './model.ts';
import type { Decision, DecisionPart, RuleOffer } from './permission.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { Todo } from './todo-list.ts';
import type { ToolResult } from './tool-result.ts';

export type { RunOutcome };

/** What a tool's schema adds to each request, estimated from its bytes. */
export interface ToolSchemaSize {
  readonly name: string;
  readonly schemaTokens: number;
}

/** What happens in a run, without the numbers that place it. */
export type AgentEventBody =
  | { readonly type: 'run_start'; readonly tools: readonly ToolSchemaSize[] }
  | { readonly type: 'turn_start' }
  | { readonly type: 'model'; readonly event: ModelEvent }
  | { readonly type: 'message_added'; readonly message: Message }
  | { readonly type: 'message_replaced'; readonly reason: string }
  /** From now on requests carry the first prompt, `summary`, and the last `keptMessages` of the messages so far. The session keeps them all. */
  | {
      readonly type: 'compacted';
      readonly reason: string;
      readonly summary: string;
      readonly keptMessages: number;
      readonly by: 'model' | 'record';
    }
  /** Nothing came from the model for a while; it may still be at work. */
  | { readonly type: 'model_idle'; readonly silentMs: number }
  | { readonly type: 'retry_wait'; readonly untilMs: number; readonly cause: string }
  | {
      readonly type: 'permission_request';
      readonly requestId: string;
      readonly toolUseId: string;
      readonly name: string;
      readonly subject: string;
      /** All of the call, a line each, safe to show: nothing of what is approved stays hidden. */
      readonly details: readonly string[];
      readonly parts: readonly DecisionPart[];
      readonly offers: readonly RuleOffer[];
    }
  | {
      readonly type: 'permission_decided';
      readonly toolUseId: string;
      readonly name: string;
      readonly by: 'rule' | 'user' | 'hook' | 'headless';
      readonly decision: Decision;
      readonly because: string;
      /** What ran in place of the model's input, where a person changed it. */
      readonly editedInput?: unknown;
    }
  | { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string; readonly subject: string }
  | { readonly type: 'tool_progress'; readonly toolUseId: string; readonly text: string }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly name: string;
      readonly result: ToolResult;
      readonly durationMs: number;
    }
  | { readonly type: 'todos'; readonly list: readonly Todo[] }
  | { readonly type: 'error'; readonly error: ErrorRecord }
  /** What a person should know, and need not mend. */
  | { readonly type: 'notice'; readonly text: string }
  /** Usage and cost are of all requests of the turn: tries that broke and the summary of a compaction too. */
  | { readonly type: 'turn_end'; readonly stopReason: StopReason; readonly usage: Usage; readonly cost: number | null }
  | {
      readonly type: 'run_end';
      readonly outcome: RunOutcome;
      readonly turns: number;
      readonly usage: Usage;
      readonly cost: number | null;
    };

/** The agent that a person speaks to. */
export const MAIN_AGENT = 'main';
/** Whose commands are those that the person typed. */
export const PERSON = 'person';

/** True for what a sub-agent did: its `agentId` is the id of the call that started it. Such an event is no step of the run itself. */
export function isOfSubAgent({ agentId }: Pick<AgentEvent, 'agentId'>): boolean {
  return agentId !== MAIN_AGENT && agentId !== PERSON;
}

/** The one stream that front ends draw, `stream-json` prints, a session records and a replay compares. `seq` counts from 1 without gaps. */
export type AgentEvent = { readonly seq: number; readonly turn: number; readonly agentId: string } & AgentEventBody;

/** True for what a person should hear of a sub-agent at once; how it fares else is told by the call that started it. */
export function isForPerson(event: AgentEventBody): boolean {
  return event.type === 'notice' || (event.type === 'error' && event.error.code === 'tool_bug');
}

/** Takes what happens. */
export type Emit = (event: AgentEventBody) => void;
