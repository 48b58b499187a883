import { Transform, type TransformCallback } from 'node:stream';

const LF = 0x0a;

/**
 * Passes on what ends with a line, in one piece. The SDK joins all that it has with each piece that comes, which for a line of many pieces
 * takes the square of its length. Source: @modelcontextprotocol/server 2, ReadBuffer. A line beyond `maxBytes` is passed on as it is, for
 * whoever reads it to refuse.
 */
export class WholeLines extends Transform {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const isWhole = piece.lastIndexOf(LF) === piece.length - 1;
    if (isWhole || this.#bytes > this.#maxBytes) return done(null, this.#taken());
    const end = piece.lastIndexOf(LF) + 1;
    if (end === 0) return done();
    this.#pieces[this.#pieces.length - 1] = piece.subarray(0, end);
    const lines = this.#taken();
    this.#pieces = [piece.subarray(end)];
    this.#bytes = piece.length - end;
    done(null, lines);
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#taken());
  }

  #taken(): Buffer {
    const taken = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return taken;
  }
}
