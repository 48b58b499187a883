import type { AgentEvent } from './agent-event.ts';
import type { ImageBlock, TextBlock } from './message.ts';
import type { PermissionAnswer } from './permission.ts';
import type { SessionState } from './session.ts';

/** What a person asks: text, or text with images. */
export type UserInput = string | readonly (TextBlock | ImageBlock)[];

/** A conversation to go on from. */
export type PastConversation = Pick<SessionState, 'messages' | 'compaction' | 'todos'>;

/** A session that works. One `run` at a time. */
export interface Agent {
  readonly sessionId: string;
  /** Ends with `run_end`, also after an abort. */
  run(prompt: UserInput, signal?: AbortSignal): AsyncIterable<AgentEvent>;
  answer(requestId: string, answer: PermissionAnswer): void;
  /** Reaches the model with the next request of this run. */
  steer(text: string): void;
  /** Becomes the next prompt when this run has ended. */
  enqueue(text: string): void;
  /** Between runs: puts a summary in place of the older messages of all requests from now on. Tells of it, or why nothing was taken out. */
  compact(signal?: AbortSignal): AsyncIterable<AgentEvent>;
  /** Between runs: the next prompt goes on from this conversation, and not from the present one. Errors: AgentError `misuse` in a run. */
  goOnFrom(past: PastConversation): void;
}
