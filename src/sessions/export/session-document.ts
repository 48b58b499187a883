import type { ErrorRecord } from '../../core/errors.ts';
import type { ImageBlock, TextBlock } from '../../core/message.ts';
import type { StopReason, Usage } from '../../core/model.ts';
import type { Decision } from '../../core/permission.ts';
import type { Todo } from '../../core/todo-list.ts';
import type { RunOutcome } from '../../core/agent-event.ts';

/** What `wield sessions export --json` prints, and what the page and the Markdown are made from. A change that breaks readers raises `version`. */
export interface SessionDocument {
  readonly format: 'wield-session';
  readonly version: 1;
  readonly id: string;
  /** ISO 8601; null where its file does not say. */
  readonly createdAt: string | null;
  readonly cwd: string | null;
  /** The session that this one was forked from, and after which of its prompts; null where it was not. */
  readonly parent: ForkedFrom | null;
  /** In the order of their first appearance. */
  readonly models: readonly string[];
  /** The first prompt that was not rewound, or the first; null where there is none. */
  readonly title: string | null;
  readonly totals: Totals;
  readonly entries: readonly Entry[];
  /** The plan as it was last. */
  readonly todos: readonly Todo[];
  /** What all calls did to files, taken together; undone ones are left out. */
  readonly files: readonly FileDiff[];
  readonly timeline: Timeline;
  /** What could not be read. */
  readonly notices: readonly string[];
}

export interface ForkedFrom {
  readonly id: string;
  readonly prompt: number;
}

export interface Totals {
  readonly prompts: number;
  readonly turns: number;
  readonly calls: number;
  readonly failures: number;
  /** As the provider reported them. */
  readonly usage: Usage;
  /** US dollars; null where unknown. */
  readonly cost: number | null;
}

export type ToolKind = 'read' | 'write' | 'command' | 'plan' | 'other';

/** `turn` counts the requests to the model from 1, over the whole session. */
export type Entry =
  | PromptEntry
  | { readonly type: 'thought'; readonly turn: number; readonly text: string }
  | AnswerEntry
  | CallEntry
  | TurnEntry
  | { readonly type: 'todos'; readonly turn: number; readonly list: readonly Todo[] }
  | CompactionEntry
  | RewoundEntry
  | { readonly type: 'forked'; readonly turn: number; readonly from: ForkedFrom }
  | { readonly type: 'asked_again'; readonly turn: number; readonly reason: string }
  | { readonly type: 'error'; readonly turn: number; readonly error: ErrorRecord }
  | { readonly type: 'end'; readonly turn: number; readonly outcome: RunOutcome };

export interface PromptEntry {
  readonly type: 'prompt';
  readonly number: number;
  readonly atMs: number | null;
  /** True where the conversation went back before it, and does not hold it any more. */
  readonly isRewound: boolean;
  readonly content: readonly (TextBlock | ImageBlock)[];
}

/** The conversation went back to the end of a prompt; 0 is the beginning. */
export interface RewoundEntry {
  readonly type: 'rewound';
  readonly turn: number;
  readonly toPrompt: number;
  /** True where that prompt was left behind itself later. */
  readonly isRewound: boolean;
}

export interface AnswerEntry {
  readonly type: 'answer';
  readonly turn: number;
  readonly model: string;
  readonly state: 'complete' | 'cut' | 'failed';
  readonly text: string;
}

/** `unknown`: the session ended before its answer came. */
export type CallOutcome = 'succeeded' | 'failed' | 'denied' | 'unknown';

export interface CallEntry {
  readonly type: 'call';
  /** Counts the calls of the session from 1. */
  readonly number: number;
  readonly turn: number;
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** The words of its input that a person would know it by. */
  readonly subject: string;
  readonly input: unknown;
  /** What the model sent where that was no JSON object; else null. */
  readonly malformedInput: string | null;
  readonly permission: PermissionMark | null;
  readonly durationMs: number | null;
  readonly outcome: CallOutcome;
  /** Of a command that ran to its end; else null. */
  readonly exitCode: number | null;
  readonly output: readonly (TextBlock | ImageBlock)[];
  readonly changes: readonly FileDiff[];
  readonly isUndone: boolean;
  /** What the sub-agent did that this call started; null where it started none. */
  readonly subAgent: SubAgentWork | null;
}

/** The work of a sub-agent, in short. Usage and cost are its own, and part of the totals. */
export interface SubAgentWork {
  readonly turns: number;
  readonly usage: Usage;
  /** US dollars; null where unknown. */
  readonly cost: number | null;
  readonly calls: readonly Pick<CallEntry, 'id' | 'name' | 'subject' | 'outcome' | 'durationMs'>[];
}

export interface PermissionMark {
  readonly by: 'rule' | 'user' | 'hook' | 'headless';
  readonly decision: Decision;
  readonly because: string;
}

export interface TurnEntry {
  readonly type: 'turn';
  readonly turn: number;
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly cost: number | null;
}

export interface CompactionEntry {
  readonly type: 'compaction';
  readonly turn: number;
  readonly reason: string;
  readonly summary: string;
  readonly keptMessages: number;
  readonly by: 'model' | 'record';
}

/** A file that was changed. `diff` is the body of a unified diff, line by line. */
export interface FileDiff {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly diff: readonly string[];
}

/** Times count in milliseconds from the beginning of the session. */
export interface Timeline {
  /** True where the session does not tell its times: lengths of model spans are then guessed from what was written. */
  readonly isEstimated: boolean;
  /** When the session began, as of `Date.now()`; null where that is not known. */
  readonly beganAtMs: number | null;
  readonly spans: readonly Span[];
}

export interface Span {
  /** `person`: the time in which a question waited for its answer. */
  readonly kind: ToolKind | 'model' | 'person';
  readonly startMs: number;
  readonly endMs: number;
  readonly turn: number;
  /** The call's number; null for the model. */
  readonly call: number | null;
  readonly isFailure: boolean;
}
