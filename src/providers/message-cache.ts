import type { Message } from '../core/message.ts';

/** What was made of a message for one audience. A published message never changes, so it is made once and lives as long as the message. */
export class MessageCache<T> {
  readonly #made = new WeakMap<Message, { readonly key: string; readonly value: T }>();

  /** `key` names all that the value depends on besides the message; of several only the last is kept. */
  get(message: Message, key: string, make: () => T): T {
    const known = this.#made.get(message);
    if (known?.key === key) return known.value;
    const value = make();
    this.#made.set(message, { key, value });
    return value;
  }
}
