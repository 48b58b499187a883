import type { ChatState } from './state.ts';
import type { Wish } from './wish.ts';

/** What the chat is after something happened, and what it asks of the world. */
export interface Reduced {
  readonly state: ChatState;
  readonly wishes: readonly Wish[];
}
