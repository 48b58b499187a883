import { maskSecrets } from '../host/http/secrets.ts';
import type { ChunkLine } from './cassette.ts';

export interface TimedBytes {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** Chunks as lines without secrets. Where one is spread over several chunks, they become one. */
export function chunkLines(chunks: readonly TimedBytes[], secrets: readonly string[]): readonly Omit<ChunkLine, 'type' | 'n'>[] {
  const joined = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const isSpread = secrets.some(
    (secret) => joined.includes(secret) && countIn([joined], secret) > countIn(chunkBytes(chunks), secret),
  );
  const whole = isSpread ? [{ atMs: chunks.at(-1)?.atMs ?? 0, bytes: joined }] : chunks;
  return whole.map(({ atMs, bytes }) => ({ atMs, ...payloadOf(bytes, secrets) }));
}

export function bytesOfChunk({ text, base64 }: ChunkLine): Uint8Array {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8');
}

function payloadOf(bytes: Uint8Array, secrets: readonly string[]): { readonly text: string } | { readonly base64: string } {
  // Byte for byte, so that what is no UTF-8 comes back as it was.
  const masked = replaceSecrets(Buffer.from(bytes).toString('latin1'), secrets);
  const plain = Buffer.from(masked, 'latin1');
  const text = plain.toString('utf8');
  return Buffer.from(text, 'utf8').equals(plain) ? { text } : { base64: plain.toString('base64') };
}

function replaceSecrets(latin: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(Buffer.from(secret, 'utf8').toString('latin1'), MASK), latin);
}

const MASK = maskSecrets('secret-value', ['secret-value']);

export function chunkBytes(chunks: readonly TimedBytes[]): readonly Buffer[] {
  return chunks.map(({ bytes }) => Buffer.from(bytes));
}

function countIn(buffers: readonly Buffer[], secret: string): number {
  return buffers.reduce(
    (sum, buffer) => sum + buffer.toString('latin1').split(Buffer.from(secret).toString('latin1')).length - 1,
    0,
  );
}
