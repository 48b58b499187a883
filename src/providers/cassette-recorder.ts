import { messageOf, systemCodeOf } from '../core/errors.ts';
import type { CarriedAnswer, CarriedPost, Carrier, ModelEvent, ModelFacts, ModelRequest, Provider } from '../core/model.ts';
import { type LineFile, openLineFile, readLineFile } from '../host/files/line-file.ts';
import { withoutSecrets, secretsOf, spellings } from '../host/http/secrets.ts';
import { type BodyEnd, CASSETTE_VERSION, type CassetteHeader, type CassetteLine, readCassette, unusable } from './cassette.ts';
import { chunkLines, type TimedBytes } from './cassette-chunks.ts';
import { gatheredEvents, type HeardEvent, leakedSecrets, withoutSpread } from './cassette-events.ts';
import { normalRequest, type RequestFacts } from './cassette-request.ts';

export interface RecorderOptions extends RequestFacts {
  readonly path: string;
  readonly model: string;
  readonly facts?: ModelFacts;
  /** How to read the bytes again; null records events, as of a model without a wire. */
  readonly endpoint: CassetteHeader['endpoint'];
}

/** The provider, whose answers go into a cassette too. Errors: AgentError `cassette_unusable`. */
export function recordingProvider(provider: Provider, options: RecorderOptions): Provider {
  const tape = openTape(provider, options);
  return {
    ...provider,
    stream: (request) => recorded(provider, request, tape.begin(request)),
  };
}

async function* recorded(provider: Provider, request: ModelRequest, entry: RecordedEntry): AsyncGenerator<ModelEvent> {
  try {
    for await (const event of provider.stream(entry.hasWire ? { ...request, carrier: entry } : request)) {
      entry.hear(event);
      // Whoever has the last event may stop reading at once.
      if (event.type === 'message_end' || event.type === 'message_failed') entry.close();
      yield event;
    }
  } finally {
    entry.close();
  }
}

interface Tape {
  begin(request: ModelRequest): RecordedEntry;
}

function openTape({ id, marksCallEnd, seesImages }: Provider, options: RecorderOptions): Tape {
  const { path, model, endpoint, places, facts } = options;
  const file = openCassetteFile(path);
  const write = (line: CassetteLine | CassetteHeader): void => {
    try {
      file.append(line);
    } catch (thrown) {
      throw unusable(path, `it could not be written (${messageOf(thrown)})`, thrown);
    }
  };
  const recordedAt = new Date().toISOString();
  const provider = { id, marksCallEnd, seesImages };
  const known = facts === undefined ? {} : { facts };
  write({ type: 'cassette', version: CASSETTE_VERSION, recordedAt, model, provider, ...known, endpoint, places });
  const written = new Set<string>();
  let count = 0;
  return {
    begin: (request) => {
      const { line, parts } = normalRequest(request, options);
      for (const part of parts) {
        if (!written.has(part.hash)) write(part);
        written.add(part.hash);
      }
      const n = ++count;
      write({ type: 'request', n, ...line });
      return new RecordedEntry(n, { write, hasWire: endpoint !== null, secrets: options.secrets, request });
    },
  };
}

/** A file that holds something else is left alone. */
function openCassetteFile(path: string): LineFile {
  try {
    if (readLineFile(path).length > 0) readCassette(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'ENOENT')
      throw systemCodeOf(thrown) === null ? thrown : unusable(path, messageOf(thrown), thrown);
  }
  try {
    return openLineFile(path);
  } catch (thrown) {
    throw unusable(path, messageOf(thrown), thrown);
  }
}

interface EntryOptions {
  readonly write: (line: CassetteLine) => void;
  readonly hasWire: boolean;
  readonly secrets: readonly string[];
  readonly request: ModelRequest;
}

interface HeardPost {
  readonly line: { readonly type: 'answer' | 'unanswered' } & CassetteLine;
  readonly chunks: TimedBytes[];
  end: { readonly atMs: number; readonly end: BodyEnd } | null;
}

/** One question while its answer comes. It is written when it is over: a secret may be spread over several chunks. */
class RecordedEntry implements Carrier {
  readonly waits = true;
  readonly hasWire: boolean;
  readonly #n: number;
  readonly #options: EntryOptions;
  readonly #startedAt = performance.now();
  readonly #posts: HeardPost[] = [];
  readonly #events: HeardEvent[] = [];
  #known: readonly string[];
  /** As they are and as JSON writes them. */
  #secrets: readonly string[];
  #isClosed = false;

  constructor(n: number, options: EntryOptions) {
    this.#n = n;
    this.#options = options;
    this.#known = options.secrets;
    this.#secrets = spellings(this.#known);
    this.hasWire = options.hasWire;
  }

  hear(event: ModelEvent): void {
    this.#events.push({ atMs: this.#now(), event });
  }

  async carry(post: CarriedPost, live: () => Promise<CarriedAnswer>): Promise<CarriedAnswer> {
    this.#known = [...new Set([...this.#known, ...secretsOf(post.url, post.headers)])].toSorted((a, b) => b.length - a.length);
    this.#secrets = spellings(this.#known);
    const n = this.#n;
    try {
      const answer = await live();
      const line = {
        type: 'answer',
        n,
        atMs: this.#now(),
        status: answer.status,
        headers: tellingHeaders(answer.headers),
      } as const;
      const heard: HeardPost = { line, chunks: [], end: null };
      this.#posts.push(heard);
      return { ...answer, body: this.#listen(answer.body, heard, post.signal) };
    } catch (thrown) {
      const line = { type: 'unanswered', n, atMs: this.#now(), code: systemCodeOf(thrown), message: messageOf(thrown) } as const;
      this.#posts.push({ line, chunks: [], end: null });
      throw thrown;
    }
  }

  /** Writes what came; the second time it does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const events = gatheredEvents(this.#events);
    // What a model says piece by piece no search in its bytes finds.
    const isLeaking =
      this.hasWire &&
      leakedSecrets(
        events,
        this.#secrets,
        this.#posts.flatMap(({ chunks }) => chunks),
      );
    if (!this.hasWire) this.#writeEvents(this.#events);
    else if (isLeaking) this.#writeEvents(events);
    else for (const post of this.#posts) this.#writePost(post);
  }

  #writeEvents(events: readonly HeardEvent[]): void {
    const gathered = gatheredEvents(events);
    const isSpread = leakedSecrets(gathered, this.#secrets, []);
    for (const { atMs, event } of isSpread ? withoutSpread(gathered, this.#secrets) : events)
      this.#write({ type: 'event', n: this.#n, atMs, event });
  }

  #writePost({ line, chunks, end }: HeardPost): void {
    const n = this.#n;
    this.#write(line);
    if (line.type === 'unanswered') return;
    for (const chunk of chunkLines(chunks, this.#secrets)) this.#options.write({ type: 'chunk', n, ...chunk });
    this.#write({ type: 'end', n, ...(end ?? { atMs: this.#now(), end: { how: 'left' } }) });
  }

  #write(line: CassetteLine): void {
    this.#options.write(withoutSecrets(line, this.#known));
  }

  async *#listen(body: AsyncIterable<Uint8Array>, heard: HeardPost, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      // What is compressed shows no key to whoever looks for one, and is read by nobody here.
      const isOpen = heard.line.type !== 'answer' || isPlain(heard.line.headers);
      for await (const bytes of body) {
        if (isOpen) heard.chunks.push({ atMs: this.#now(), bytes });
        yield bytes;
      }
      heard.end = { atMs: this.#now(), end: { how: 'ended' } };
    } catch (thrown) {
      heard.end = { atMs: this.#now(), end: this.#endOf(thrown, signal) };
      throw thrown;
    }
  }

  /** Whoever has read enough breaks the connection; so does a person who interrupts. */
  #endOf(thrown: unknown, signal: AbortSignal): BodyEnd {
    if (this.#options.request.signal.aborted) return { how: 'aborted' };
    if (signal.aborted) return { how: 'left' };
    return { how: 'broke', code: systemCodeOf(thrown), message: messageOf(thrown) };
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

function isPlain(headers: Readonly<Record<string, string>>): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity';
}

/** What reading an answer depends on. */
const TELLING: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'location',
]);

function tellingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => TELLING.has(name))
      .map(([name, value]) => [name, name === 'location' ? withoutQuery(value) : value]),
  );
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}
