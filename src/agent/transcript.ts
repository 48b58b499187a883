import type { Message } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import type { Compaction } from '../core/session.ts';
import { compactedMessages } from './compaction/compacted-messages.ts';
import { withoutReplays } from './replays.ts';

/** How large the context was when a provider last told, and the messages that were in it. */
export interface MeasuredContext {
  readonly tokens: number;
  readonly messageCount: number;
}

/** The messages of a session, in order; only ever appended to, but for a rewind. What a request carries of them is derived. */
export class Transcript {
  #messages: Message[];
  #compaction: Compaction | null;
  /** The same messages as requests carry them: some without what only their maker can read. */
  #sendable: Message[];
  #measured: MeasuredContext | null = null;
  /** The ids of all calls so far. */
  readonly usedIds: Set<string>;

  /** `usedIds` are those of other conversations of the same session, and get those of this one too. */
  constructor(messages: readonly Message[], compaction: Compaction | null = null, usedIds: Set<string> = new Set()) {
    this.#messages = [...messages];
    this.#sendable = [...messages];
    this.#compaction = compaction;
    this.usedIds = usedIds;
    for (const message of messages) if (message.role === 'assistant') for (const { id } of toolUsesOf(message)) usedIds.add(id);
  }

  /** All messages, also those that a summary stands for. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get compaction(): Compaction | null {
    return this.#compaction;
  }

  /** Null where no provider has told since the last compaction. */
  get measured(): MeasuredContext | null {
    return this.#measured;
  }

  /** What a request carries of the messages before the index `end`, not yet repaired. */
  sentUntil(end: number): readonly Message[] {
    return compactedMessages(this.#sendable.slice(0, end), this.#compaction);
  }

  add(message: Message): void {
    this.#messages.push(message);
    this.#sendable.push(message);
  }

  /** A provider said how many tokens all that there is now came to. */
  noteSize(tokens: number): void {
    this.#measured = { tokens, messageCount: this.#messages.length };
  }

  compact(compaction: Compaction): void {
    this.#compaction = compaction;
    this.#measured = null;
  }

  /** The conversation goes on from other messages, of the same session. The ids of all calls so far stay used. */
  replace(messages: readonly Message[], compaction: Compaction | null): void {
    this.#messages = [...messages];
    this.#sendable = [...messages];
    this.#compaction = compaction;
    this.#measured = null;
  }

  /** From now on what there is goes without signatures and reasoning; what is added keeps its own. */
  dropReplays(): void {
    this.#sendable = withoutReplays(this.#sendable);
  }
}
