/** Hands what is pushed at any time to one reader, in order. */
export class EventQueue<T> implements AsyncIterable<T> {
  #ready: T[] = [];
  #isClosed = false;
  #wake: (() => void) | null = null;

  push(item: T): void {
    this.#ready.push(item);
    this.#wake?.();
  }

  /** The reader ends after what was pushed. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const batch = this.#ready;
      this.#ready = [];
      yield* batch;
      if (this.#ready.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
