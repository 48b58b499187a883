import type { ModelEvent } from '../core/model.ts';
import { maskSecrets } from '../host/http/secrets.ts';
import type { ChunkLine } from './cassette.ts';

export interface TimedBytes {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface HeardEvent {
  readonly atMs: number;
  readonly event: ModelEvent;
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

/** Events with neighbouring deltas of one block made one. */
export function mergedEvents(heard: readonly HeardEvent[]): readonly HeardEvent[] {
  const merged: HeardEvent[] = [];
  for (const next of heard) {
    const last = merged.at(-1);
    const event = last === undefined ? null : joinedEvent(last.event, next.event);
    if (event === null) merged.push(next);
    else merged[merged.length - 1] = { atMs: next.atMs, event };
  }
  return merged;
}

/** True where a model said a secret that no chunk shows as one piece. */
export function leakedSecrets(events: readonly HeardEvent[], secrets: readonly string[], chunks: readonly TimedBytes[]): boolean {
  const said = JSON.stringify(events.map(({ event }) => event));
  const bytes = Buffer.concat(chunkBytes(chunks));
  return secrets.some((secret) => said.includes(secret) && !bytes.includes(secret));
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

function chunkBytes(chunks: readonly TimedBytes[]): readonly Buffer[] {
  return chunks.map(({ bytes }) => Buffer.from(bytes));
}

function countIn(buffers: readonly Buffer[], secret: string): number {
  return buffers.reduce(
    (sum, buffer) => sum + buffer.toString('latin1').split(Buffer.from(secret).toString('latin1')).length - 1,
    0,
  );
}

function joinedEvent(a: ModelEvent, b: ModelEvent): ModelEvent | null {
  if (a.type === 'tool_input_delta' && b.type === 'tool_input_delta')
    return a.index === b.index ? { ...b, json: a.json + b.json } : null;
  if ((a.type === 'text_delta' || a.type === 'thinking_delta') && (b.type === 'text_delta' || b.type === 'thinking_delta'))
    return a.type === b.type && a.index === b.index ? { ...b, text: a.text + b.text } : null;
  return null;
}
