import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { ModelEvent, ModelFacts } from '../core/model.ts';
import { isCassetteHeader, isCassetteLine } from './cassette-shape.ts';
import { readLineFile } from '../host/files/line-file.ts';
import type { Place } from '../core/steady-text.ts';

export const CASSETTE_VERSION = 1;

/** The first line of a cassette, and of each run that was added to it. */
export interface CassetteHeader {
  readonly type: 'cassette';
  readonly version: typeof CASSETTE_VERSION;
  readonly recordedAt: string;
  readonly model: string;
  /** What the provider says of itself. */
  readonly provider: { readonly id: string; readonly marksCallEnd: boolean; readonly seesImages: boolean };
  /** What was known of the model: when a conversation is compacted depends on it. */
  readonly facts?: ModelFacts;
  /** How to read the bytes, without a key; null where events were recorded. */
  readonly endpoint: JsonObject | null;
  readonly places: readonly Place[];
}

/** A part of a request, which stands once in a cassette however many requests have it. */
export interface PartLine {
  readonly type: 'part';
  readonly hash: string;
  readonly value: unknown;
}

/** A question to the model. `n` counts in its run; `key` is the hash of model, messages and tools. */
export interface RequestLine {
  readonly type: 'request';
  readonly n: number;
  readonly key: string;
  readonly model: string;
  readonly tools: string;
  readonly messages: readonly string[];
}

/** How a body ended: by itself, because the connection broke, or because nobody read on. */
export type BodyEnd =
  | { readonly how: 'ended' | 'left' | 'aborted' }
  | { readonly how: 'broke'; readonly code: string | null; readonly message: string };

/** An answer of a server as it came. Times are milliseconds since the question. */
export interface AnswerLine {
  readonly type: 'answer';
  readonly n: number;
  readonly atMs: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes of the answer before it: as text where they are UTF-8, else in base64. */
export interface ChunkLine {
  readonly type: 'chunk';
  readonly n: number;
  readonly atMs: number;
  readonly text?: string;
  readonly base64?: string;
}

export interface EndLine {
  readonly type: 'end';
  readonly n: number;
  readonly atMs: number;
  readonly end: BodyEnd;
}

/** No answer came. */
export interface UnansweredLine {
  readonly type: 'unanswered';
  readonly n: number;
  readonly atMs: number;
  readonly code: string | null;
  readonly message: string;
}

/** What a model without a wire said. */
export interface EventLine {
  readonly type: 'event';
  readonly n: number;
  readonly atMs: number;
  readonly event: ModelEvent;
}

export type CassetteLine = PartLine | RequestLine | AnswerLine | ChunkLine | EndLine | UnansweredLine | EventLine;

/** One post of a question: its answer, or why none came. */
export interface RecordedPost {
  readonly answer: AnswerLine | UnansweredLine;
  readonly chunks: ChunkLine[];
  end: EndLine | null;
}

/** A question and all that came of it. `line` is where it stands in the file. */
export interface RecordedRequest {
  readonly line: number;
  readonly request: RequestLine;
  readonly header: CassetteHeader;
  readonly posts: RecordedPost[];
  readonly events: EventLine[];
}

export interface Cassette {
  readonly path: string;
  readonly header: CassetteHeader;
  readonly requests: readonly RecordedRequest[];
  readonly parts: ReadonlyMap<string, unknown>;
}

/** Reads a cassette. A last line that was cut off is left out. Errors: AgentError `cassette_unusable`. */
export function readCassette(path: string): Cassette {
  const requests: RecordedRequest[] = [];
  const parts = new Map<string, unknown>();
  let header: CassetteHeader | null = null;
  let open = new Map<number, RecordedRequest>();
  for (const { line, value } of linesOf(path)) {
    if (!isJsonObject(value)) {
      if (header === null) throw unusable(path, 'it does not begin like one');
      continue;
    }
    if (value['type'] === 'cassette') {
      header = checkedHeader(value, path);
      open = new Map();
    } else if (header === null) throw unusable(path, 'it does not begin like one');
    else if (!isCassetteLine(value)) throw unusable(path, `its line ${line} is damaged`);
    // Its shape was checked here; a header says no more behind its own check.
    const entry = value as unknown as CassetteLine;
    if (entry.type === 'part') parts.set(entry.hash, entry.value);
    else if (entry.type === 'request') {
      const recorded = { line, request: entry, header, posts: [], events: [] };
      open.set(entry.n, recorded);
      requests.push(recorded);
    } else addTo(open.get(entry.n), entry);
  }
  if (header === null) throw unusable(path, 'it is empty');
  return { path, header, requests, parts };
}

/** The error of a file that is no cassette, or cannot be one. */
export function unusable(path: string, why: string, cause?: unknown): AgentError {
  return new AgentError(
    {
      code: 'cassette_unusable',
      message: `${path} cannot be used as a cassette: ${why}.`,
      remedy: 'Name another file, or record one with --record FILE.',
    },
    { cause },
  );
}

function linesOf(path: string): ReturnType<typeof readLineFile> {
  try {
    return readLineFile(path);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    throw unusable(path, code === 'ENOENT' ? 'there is no such file' : messageOf(thrown), thrown);
  }
}

function checkedHeader(value: JsonObject, path: string): CassetteHeader {
  if (value['version'] !== CASSETTE_VERSION)
    throw unusable(path, `it is of version ${String(value['version'])}, and this is version ${CASSETTE_VERSION}`);
  if (!isCassetteHeader(value)) throw unusable(path, 'its first line is damaged');
  return value as unknown as CassetteHeader;
}

function addTo(recorded: RecordedRequest | undefined, entry: Exclude<CassetteLine, PartLine | RequestLine>): void {
  if (recorded === undefined) return;
  switch (entry.type) {
    case 'event':
      recorded.events.push(entry);
      return;
    case 'answer':
    case 'unanswered':
      recorded.posts.push({ answer: entry, chunks: [], end: null });
      return;
    case 'chunk':
      recorded.posts.at(-1)?.chunks.push(entry);
      return;
    case 'end': {
      const post = recorded.posts.at(-1);
      if (post !== undefined) post.end = entry;
    }
  }
}
