/** The last bytes of a stream, at most `capacity`, however small the pieces are that it comes in. */
export class RingBuffer {
  readonly #capacity: number;
  #ring: Buffer | null = null;
  #at = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#ring ??= Buffer.allocUnsafe(this.#capacity);
    const kept = bytes.subarray(-this.#capacity);
    const first = Math.min(kept.length, this.#capacity - this.#at);
    this.#ring.set(kept.subarray(0, first), this.#at);
    this.#ring.set(kept.subarray(first), 0);
    this.#at = (this.#at + kept.length) % this.#capacity;
    this.#size = Math.min(this.#capacity, this.#size + kept.length);
  }

  /** A copy, oldest byte first. */
  bytes(): Uint8Array {
    if (this.#ring === null) return new Uint8Array();
    const start = (this.#at - this.#size + this.#capacity) % this.#capacity;
    const first = this.#ring.subarray(start, Math.min(this.#capacity, start + this.#size));
    return Buffer.concat([first, this.#ring.subarray(0, this.#size - first.length)]);
  }
}
