/** An item of a stream: `bytes` from `start` to `end`, valid until the call returns. `missing` bytes behind it were not kept. */
export type OnItem = (bytes: Buffer, start: number, end: number, missing: number) => void;

/** Cuts a stream of bytes at a separator. An item over `maxBytes` is handed out cut, so that one endless line cannot fill the memory. */
export class ByteSplitter {
  readonly #separator: number;
  readonly #onItem: OnItem;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #missing = 0;

  constructor(separator: number, onItem: OnItem, maxBytes: number) {
    this.#separator = separator;
    this.#onItem = onItem;
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(this.#separator); end !== -1; end = chunk.indexOf(this.#separator, start)) {
      // Nearly always an item lies whole in its chunk and need not be copied.
      if (this.#bytes === 0 && end - start <= this.#maxBytes) this.#onItem(chunk, start, end, 0);
      else this.#handOut(chunk.subarray(start, end));
      start = end + 1;
    }
    // A copy: the chunk's memory is used again.
    if (start < chunk.length) this.#keep(Buffer.from(chunk.subarray(start)));
  }

  #keep(piece: Buffer): void {
    const room = piece.subarray(0, this.#maxBytes - this.#bytes);
    this.#missing += piece.length - room.length;
    if (room.length === 0) return;
    this.#pieces.push(room);
    this.#bytes += room.length;
  }

  #handOut(last: Buffer): void {
    this.#keep(last);
    const item = Buffer.concat(this.#pieces);
    const missing = this.#missing;
    this.#pieces = [];
    this.#bytes = 0;
    this.#missing = 0;
    this.#onItem(item, 0, item.length, missing);
  }
}
