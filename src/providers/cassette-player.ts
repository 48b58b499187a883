import { pause } from '../core/pause.ts';
import type { CarriedAnswer, CarriedPost, Carrier, ModelEvent, ModelRequest, Provider } from '../core/model.ts';
import { mapTexts, movePlaces, type Place } from '../core/steady-text.ts';
import type { BodyEnd, Cassette, RecordedPost, RecordedRequest } from './cassette.ts';
import { bytesOfChunk } from './cassette-chunks.ts';
import { describeUnknown } from './cassette-difference.ts';
import { normalRequest, type NormalRequest, type RequestFacts } from './cassette-request.ts';

export interface PlayerOptions extends RequestFacts {
  /** How often as fast as it was recorded; null gives everything at once. */
  readonly speed: number | null;
  /** Reads bytes; null where the cassette holds none. */
  readonly reader: Provider | null;
}

/** A provider that answers from a cassette, with no network. Each answer is given once, in the order of recording. */
export function replayingProvider(cassette: Cassette, options: PlayerOptions): Provider {
  const unused = new Set(cassette.requests);
  const facts: RequestFacts = { ...options, places: [...options.places, ...cassette.header.places] };
  return {
    ...cassette.header.provider,
    ...(options.reader?.readsCallsFromText === true ? { readsCallsFromText: true } : {}),
    stream: (request) => {
      const normal = normalRequest(request, facts);
      const found = [...unused].find((recorded) => recorded.request.key === normal.line.key && isWhole(recorded));
      if (found === undefined) return unknown(cassette, normal);
      unused.delete(found);
      return played(found, request, options);
    },
  };
}

/** A recording may have broken off before any answer came. */
function isWhole({ posts, events }: RecordedRequest): boolean {
  return posts.length + events.length > 0;
}

async function* unknown(cassette: Cassette, normal: NormalRequest): AsyncGenerator<ModelEvent> {
  const error = { kind: 'not_recorded', message: describeUnknown(cassette, normal), status: null } as const;
  yield { type: 'message_failed', error, retryable: false };
}

async function* played(recorded: RecordedRequest, request: ModelRequest, options: PlayerOptions): AsyncGenerator<ModelEvent> {
  for await (const event of eventsOf(recorded, request, options)) yield moved(event, recorded.header.places, options.places);
}

async function* eventsOf(
  recorded: RecordedRequest,
  request: ModelRequest,
  { speed, reader }: PlayerOptions,
): AsyncGenerator<ModelEvent> {
  if (recorded.events.length === 0 && reader !== null) {
    yield* reader.stream({ ...request, carrier: carrierOf(recorded.posts, speed, request.signal) });
    return;
  }
  const clock = new Clock(speed, request.signal);
  for (const { atMs, event } of recorded.events) {
    await clock.waitUntil(atMs);
    if (request.signal.aborted) {
      yield { type: 'message_failed', error: { kind: 'aborted', message: 'Interrupted.', status: null }, retryable: false };
      return;
    }
    yield event;
  }
}

function carrierOf(posts: readonly RecordedPost[], speed: number | null, signal: AbortSignal): Carrier {
  const rest = [...posts];
  const clock = new Clock(speed, signal);
  return {
    waits: speed !== null,
    carry: async (_post: CarriedPost): Promise<CarriedAnswer> => {
      const post = rest.shift();
      if (post === undefined) throw new Error('the cassette holds no further try of this request');
      const { answer } = post;
      await clock.waitUntil(answer.atMs);
      if (answer.type === 'unanswered') throw systemError(answer.message, answer.code);
      return { status: answer.status, headers: answer.headers, body: bodyOf(post, clock, signal) };
    },
  };
}

async function* bodyOf({ chunks, end }: RecordedPost, clock: Clock, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await clock.waitUntil(chunk.atMs);
    if (signal.aborted) throw systemError('aborted', 'ECONNRESET');
    yield bytesOfChunk(chunk);
  }
  const how: BodyEnd = end?.end ?? { how: 'aborted' };
  if (how.how === 'broke') throw systemError(how.message, how.code);
  if (how.how === 'aborted') throw new Error('it was interrupted while it was recorded');
}

function systemError(message: string, code: string | null): Error {
  return Object.assign(new Error(message), code === null ? {} : { code });
}

class Clock {
  readonly #speed: number | null;
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();

  constructor(speed: number | null, signal: AbortSignal) {
    this.#speed = speed;
    this.#signal = signal;
  }

  async waitUntil(atMs: number): Promise<void> {
    if (this.#speed === null) return;
    const leftMs = atMs / this.#speed - (performance.now() - this.#startedAt);
    if (leftMs > 0) await pause(leftMs, this.#signal);
  }
}

/** What a tool is going to get, and what is shown, names the places of this machine. */
function moved(event: ModelEvent, then: readonly Place[], now: readonly Place[]): ModelEvent {
  if (event.type !== 'tool_use' && event.type !== 'text_delta') return event;
  return mapTexts(event, (text) => movePlaces(text, then, now));
}
