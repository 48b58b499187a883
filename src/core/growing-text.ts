const MAX_PIECES = 1024;

/** A text that comes in very many small pieces. They are joined now and then: a million of them at once would keep the memory busy. */
export class GrowingText {
  #joined = '';
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === MAX_PIECES) this.#join();
  }

  /** All of it so far. */
  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    if (this.#pieces.length === 0) return;
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}
