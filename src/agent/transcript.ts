import type { Message } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';

/** The messages of a session, in order; only ever appended to. */
export class Transcript {
  readonly #messages: Message[];
  /** The ids of all calls so far. */
  readonly usedIds: Set<string>;

  constructor(messages: readonly Message[]) {
    this.#messages = [...messages];
    this.usedIds = new Set(
      messages.flatMap((message) => (message.role === 'assistant' ? toolUsesOf(message).map((call) => call.id) : [])),
    );
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  add(message: Message): void {
    this.#messages.push(message);
  }
}
