import type { AgentEvent } from './agent-event.ts';
import type { Message } from './message.ts';
import type { Todo } from './todo-list.ts';

/** What stands for the older messages of a session: a text in place of those before the index `firstKept`, except the first prompt. */
export interface Compaction {
  readonly summary: string;
  readonly firstKept: number;
}

/** What a resumed session starts from. `notices` say what could not be read. */
export interface SessionState {
  readonly id: string;
  readonly messages: readonly Message[];
  /** The last one, or null where requests carry every message. */
  readonly compaction: Compaction | null;
  readonly todos: readonly Todo[];
  readonly notices: readonly string[];
}

/** Takes the durable events of a session, in order. `append` does not wait; `flush` resolves when all before it is on disk. */
export interface SessionLog {
  readonly id: string;
  append(event: AgentEvent): void;
  /** Errors: AgentError `session_write_failed`. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
