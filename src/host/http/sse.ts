import { createParser } from 'eventsource-parser';

/** One server-sent event; `event` is null where the server named none. */
export interface SseEvent {
  readonly event: string | null;
  readonly data: string;
}

/** Reads server-sent events out of a body, however its bytes are split. Those that came together are handed out together. */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly SseEvent[]> {
  let ready: SseEvent[] = [];
  const take = (): readonly SseEvent[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  const parser = createParser({ onEvent: ({ event, data }) => ready.push({ event: event ?? null, data }) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (ready.length > 0) yield take();
  }
  // By the standard an event without a closing blank line is dropped; some servers leave it out. Source: design notes, streaming 8.1
  parser.feed(`${decoder.decode()}\n\n`);
  if (ready.length > 0) yield take();
}
