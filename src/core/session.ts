import type { AgentEvent } from './agent-event.ts';
import type { Message, UserMessage } from './message.ts';
import type { PermissionRule } from './permission.ts';
import type { Todo } from './todo-list.ts';

/** What stands for the older messages of a session: a text in place of those before the index `firstKept`, except the first prompt. */
export interface Compaction {
  readonly summary: string;
  readonly firstKept: number;
}

/** A prompt and what followed it. Its number counts the prompts of the session from 1 and is never given to another, after a rewind neither. */
export interface SessionTurn {
  readonly number: number;
  readonly prompt: string;
}

/** A background command that was started; it ended with its process. */
export interface PastJob {
  readonly id: string;
  readonly command: string;
  /** False where nothing says that it ended while its session was open. */
  readonly hasEnded: boolean;
}

/** What a resumed session starts from; all of it is derived from the log. `notices` say what could not be read. */
export interface SessionState {
  readonly id: string;
  /** The conversation as it holds: what was rewound is not in it. */
  readonly messages: readonly Message[];
  /** The last one, or null where requests carry every message. */
  readonly compaction: Compaction | null;
  readonly todos: readonly Todo[];
  /** The turns that hold, in order. */
  readonly turns: readonly SessionTurn[];
  /** The number of the last prompt, rewound or not. */
  readonly turnCount: number;
  /** The ids of all calls, of rewound ones too. */
  readonly callIds: readonly string[];
  /** The version of each file that the model has seen, by real path. */
  readonly seen: ReadonlyMap<string, string>;
  /** What a person allowed for this session. */
  readonly rules: readonly PermissionRule[];
  readonly jobs: readonly PastJob[];
  /** The answer to calls that a crash left without one; not in the log yet. Null where there are none. */
  readonly lostAnswers: UserMessage | null;
  readonly notices: readonly string[];
}

/** What a session records beside its events. */
export type SessionNote =
  | { readonly type: 'rewound'; readonly toTurn: number }
  | { readonly type: 'session_named'; readonly name: string }
  | { readonly type: 'file_seen'; readonly path: string; readonly version: string }
  | { readonly type: 'rule_added'; readonly rule: PermissionRule }
  | { readonly type: 'job_started'; readonly id: string; readonly command: string }
  | { readonly type: 'job_ended'; readonly id: string };

/** Takes the durable events of a session, in order. `append` does not wait; `flush` resolves when all before it is on disk. */
export interface SessionLog {
  readonly id: string;
  append(event: AgentEvent): void;
  /** Errors: AgentError `session_write_failed`. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
