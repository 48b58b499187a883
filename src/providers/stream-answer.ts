import type { ProviderError } from '../core/errors.ts';
import type { ModelEvent, ModelRequest } from '../core/model.ts';
import { postForStream, type RetryPolicy } from '../host/http/http.ts';
import { maskSecrets, secretsOf } from '../host/http/secrets.ts';
import { readSse } from '../host/http/sse.ts';
import type { OfferedTools } from './tool-formats.ts';
import type { WireReader } from './wire-reader.ts';

/** A request in the words of its wire format. */
export interface WirePost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly retry?: RetryPolicy | undefined;
  /** Tools that could not be offered. */
  readonly unusable: OfferedTools['unusable'];
  /** What a strict server would refuse in the body. */
  faultsOf(body: unknown): readonly string[];
}

/**
 * Sends a request and reads its answer as it comes. Keys that a server repeats are masked in every error.
 * Errors: never throws for what a server or the network did; the last event tells it.
 */
export async function* streamAnswer(post: WirePost, request: ModelRequest, reader: WireReader): AsyncGenerator<ModelEvent> {
  const secrets = secretsOf(post.url, post.headers);
  const { onRetryWait } = request;
  const masked: ModelRequest = {
    ...request,
    ...(onRetryWait && { onRetryWait: (wait) => onRetryWait({ ...wait, cause: maskSecrets(wait.cause, secrets) }) }),
  };
  for await (const event of streamEvents(post, masked, reader)) {
    if (event.type !== 'message_failed') yield event;
    else yield { ...event, error: { ...event.error, message: maskSecrets(event.error.message, secrets) } };
  }
}

async function* streamEvents(post: WirePost, request: ModelRequest, reader: WireReader): AsyncGenerator<ModelEvent> {
  for (const tool of post.unusable) yield { type: 'tool_unusable', ...tool };
  const refused = checked(post);
  if (refused !== null) {
    yield { type: 'message_failed', error: refused, retryable: false };
    return;
  }
  const silence = new AbortController();
  const answer = await postForStream({
    url: post.url,
    headers: { 'content-type': 'application/json', ...post.headers },
    body: post.body,
    signal: AbortSignal.any([request.signal, silence.signal]),
    ...(post.retry === undefined ? {} : { retry: post.retry }),
    onRetryWait: request.onRetryWait,
    ...(request.carrier === undefined ? {} : { carrier: request.carrier }),
  });
  if (!answer.ok) {
    yield { type: 'message_failed', error: answer.error, retryable: false };
    return;
  }
  try {
    yield* readBody(answer.body, reader, silence);
  } catch (thrown) {
    if (silence.signal.aborted && !request.signal.aborted) yield* reader.end();
    else yield* reader.broken(thrown, request.signal.aborted);
    return;
  }
  yield* reader.end();
}

/** How long a server that said all may still add to it before its connection is closed. */
const MAX_SILENCE_MS = 2_000;

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  reader: WireReader,
  silence: AbortController,
): AsyncGenerator<ModelEvent> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const events of readSse(body)) {
      clearTimeout(timer);
      for (const { data, isForced } of events) yield* reader.read(data, isForced);
      if (reader.mayBeOver()) timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Where someone looks for a fault (WIELD_DEBUG), as all tests do, no request leaves that a strict server would refuse: it would be a bug of ours. */
function checked({ body, faultsOf }: WirePost): ProviderError | null {
  if (process.env['WIELD_DEBUG'] === undefined) return null;
  const faults = faultsOf(JSON.parse(body));
  return faults.length === 0
    ? null
    : { kind: 'bad_request', message: `The request is not sound: ${faults.join('; ')}.`, status: null };
}
