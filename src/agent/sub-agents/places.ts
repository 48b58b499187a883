import type { ParentCall } from './witness.ts';

/** So many sub-agents work at once; the others wait, first come, first served. */
export class Places {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Works once there is a place; also where the call is aborted meanwhile, so that the work can say so. */
  async hold<T>(call: ParentCall, work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await this.#wait(call);
    this.#free--;
    try {
      return await work();
    } finally {
      this.#free++;
      if (this.#free > 0) this.#waiting.shift()?.();
    }
  }

  async #wait({ signal, progress }: ParentCall): Promise<void> {
    if (signal.aborted) return;
    progress('waits until another sub-agent has ended\n');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    this.#waiting = this.#waiting.filter((other) => other !== resolve);
  }
}
