const HEX_DIGITS = 16;
const SLICE_BYTES = 1024 * 1024;

/** A content hash: 16 hex digits of SHA-256, enough to tell versions of one file apart. */
export function shortHash(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex').slice(0, HEX_DIGITS);
}

/** The same hash of content that comes in pieces. It gives way between slices, so that reading and writing go on beside it. */
export async function hashOfPieces(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece.subarray(0, SLICE_BYTES));
    for (let at = SLICE_BYTES; at < piece.length; at += SLICE_BYTES) {
      await new Promise(setImmediate);
      hash.update(piece.subarray(at, at + SLICE_BYTES));
    }
  }
  return hash.digest('hex').slice(0, HEX_DIGITS);
}
