import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';

/** The beginning of a body, unpacked. */
export interface WebBody {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/** Reads at most so many bytes, counted after unpacking: a small body can be packed of a large one. Errors: of the system. */
export async function readBody(answer: IncomingMessage, maxBytes: number): Promise<WebBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = unpacked(answer);
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    if (size <= maxBytes) continue;
    answer.destroy();
    body.destroy();
    break;
  }
  return { bytes: Buffer.concat(chunks), isCut: size > maxBytes };
}

function unpacked(answer: IncomingMessage): Readable {
  const unpacker = unpackerOf(answer.headers['content-encoding'] ?? '');
  if (unpacker === null) return answer;
  answer.on('error', (error) => unpacker.destroy(error));
  return answer.pipe(unpacker);
}

function unpackerOf(encoding: string): Transform | null {
  const zlib = process.getBuiltinModule('node:zlib');
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return null;
  }
}
