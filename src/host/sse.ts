import { createParser } from 'eventsource-parser';

/** One server-sent event; `event` is null where the server named none. */
export interface SseEvent {
  readonly event: string | null;
  readonly data: string;
}

/** Reads server-sent events out of a body, however its bytes are split. */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const ready: SseEvent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => ready.push({ event: event ?? null, data }) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* ready.splice(0);
  }
  // By the standard an event without a closing blank line is dropped; some servers leave it out. Source: design notes, streaming 8.1
  parser.feed(`${decoder.decode()}\n\n`);
  yield* ready.splice(0);
}
