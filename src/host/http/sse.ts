import { createParser } from 'eventsource-parser';

/** One server-sent event; `event` is null where the server named none. */
export interface SseEvent {
  readonly event: string | null;
  readonly data: string;
  /** The body ended before the blank line that closes an event: this may be the first half of one. */
  readonly isForced?: true;
}

export interface SseLimits {
  /** Characters of one event. */
  readonly maxEventChars: number;
  /** Bytes of one body. */
  readonly maxBytes: number;
}

/** The longest answers of all recordings have less than a hundredth of this. */
export const DEFAULT_SSE_LIMITS: SseLimits = { maxEventChars: 64 * 2 ** 20, maxBytes: 256 * 2 ** 20 };

/** A body was larger than any answer is. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/**
 * Reads server-sent events out of a body, however its bytes are split. Those that came together are handed out together.
 * Errors: throws what the body throws, and a BodyTooLargeError beyond a limit.
 */
export async function* readSse(
  body: AsyncIterable<Uint8Array>,
  limits: SseLimits = DEFAULT_SSE_LIMITS,
): AsyncGenerator<readonly SseEvent[]> {
  let ready: SseEvent[] = [];
  const take = (): readonly SseEvent[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  const parser = createParser({
    maxBufferSize: limits.maxEventChars,
    onEvent: ({ event, data }) => ready.push({ event: event ?? null, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLarge('one event', limits.maxEventChars);
    },
  });
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > limits.maxBytes) throw tooLarge('one answer', limits.maxBytes);
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (ready.length > 0) yield take();
  }
  // By the standard an event without a closing blank line is dropped; some servers leave it out. Source: design notes, streaming 8.1
  parser.feed(`${decoder.decode()}\n\n`);
  if (ready.length > 0) yield take().map((event) => ({ ...event, isForced: true }));
}

function tooLarge(what: string, limit: number): BodyTooLargeError {
  return new BodyTooLargeError(`more than ${Math.round(limit / 2 ** 20)} MB in ${what}`);
}
