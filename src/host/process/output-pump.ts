import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_MS = 200;
const FLOW_MS = 2000;

/** Moves a program's output to its reader, chunk by chunk. */
export class OutputPump {
  readonly #reader: (bytes: Uint8Array) => Promise<void>;
  readonly #done: Promise<void>;
  #stream: Readable | null = null;
  #isStopped = false;
  #isBusy = false;
  #chunks = 0;
  #fault: { readonly thrown: unknown } | null = null;

  constructor(stream: Promise<Readable | null>, reader: (bytes: Uint8Array) => Promise<void>) {
    this.#reader = reader;
    this.#done = this.#pump(stream);
  }

  /** Waits for the end of the output once nobody should write any more. False where the pipe stays open: silent for 200 ms, or flowing for 2 s. */
  async drained(): Promise<boolean> {
    const givesUpAt = performance.now() + FLOW_MS;
    for (;;) {
      const before = this.#chunks;
      if (await this.#endsWithin(IDLE_MS)) return true;
      if (!this.#isBusy && (this.#chunks === before || performance.now() > givesUpAt)) return false;
    }
  }

  /** Reads no more. Errors: throws what the reader threw. */
  stop(): void {
    this.#isStopped = true;
    this.#stream?.destroy();
    if (this.#fault !== null) throw this.#fault.thrown;
  }

  #endsWithin(ms: number): Promise<boolean> {
    const late = new AbortController();
    const timeout = sleep(ms, false, { signal: late.signal }).catch(() => false);
    return Promise.race([this.#done.then(() => true), timeout]).finally(() => late.abort());
  }

  async #pump(source: Promise<Readable | null>): Promise<void> {
    try {
      this.#stream = await source;
      if (this.#isStopped) this.#stream?.destroy();
      for await (const bytes of this.#stream ?? []) await this.#hand(bytes as Uint8Array);
    } catch (thrown) {
      // A pipe that stop() destroyed, while its chunk was awaited, is no fault.
      if (!this.#isStopped) this.#fault ??= { thrown };
    }
  }

  /** A reader that fails gets no more, but the program can still write: it must not wait for ever on a full pipe. */
  async #hand(bytes: Uint8Array): Promise<void> {
    this.#chunks++;
    if (this.#fault !== null) return;
    this.#isBusy = true;
    try {
      await this.#reader(bytes);
    } catch (thrown) {
      this.#fault = { thrown };
    } finally {
      this.#isBusy = false;
    }
  }
}
