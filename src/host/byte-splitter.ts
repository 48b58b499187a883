/** Cuts a stream of bytes at a separator. An item over `maxBytes` is handed out cut, so that one endless line cannot fill the memory. */
export class ByteSplitter {
  readonly #separator: number;
  readonly #onItem: (item: Buffer, isCut: boolean) => void;
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(separator: number, onItem: (item: Buffer, isCut: boolean) => void, maxBytes: number) {
    this.#separator = separator;
    this.#onItem = onItem;
    this.#maxBytes = maxBytes;
  }

  add(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(this.#separator); end !== -1; end = chunk.indexOf(this.#separator, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#handOut();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    const room = piece.subarray(0, this.#maxBytes - this.#bytes);
    if (room.length < piece.length) this.#isCut = true;
    if (room.length === 0) return;
    this.#pieces.push(room);
    this.#bytes += room.length;
  }

  #handOut(): void {
    const item = Buffer.concat(this.#pieces);
    const isCut = this.#isCut;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isCut = false;
    this.#onItem(item, isCut);
  }
}
