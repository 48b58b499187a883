import type { ProviderError } from '../core/errors.ts';
import type { ModelEvent, ModelRequest } from '../core/model.ts';
import { postForStream, type RetryPolicy } from '../host/http/http.ts';
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

/** Sends a request and reads its answer as it comes. Errors: never throws for what a server or the network did; the last event tells it. */
export async function* streamAnswer(post: WirePost, request: ModelRequest, reader: WireReader): AsyncGenerator<ModelEvent> {
  for (const tool of post.unusable) yield { type: 'tool_unusable', ...tool };
  const refused = checked(post);
  if (refused !== null) {
    yield { type: 'message_failed', error: refused, retryable: false };
    return;
  }
  const answer = await postForStream({
    url: post.url,
    headers: { 'content-type': 'application/json', ...post.headers },
    body: post.body,
    signal: request.signal,
    ...(post.retry === undefined ? {} : { retry: post.retry }),
    onRetryWait: request.onRetryWait,
  });
  if (!answer.ok) {
    yield { type: 'message_failed', error: answer.error, retryable: false };
    return;
  }
  try {
    for await (const events of readSse(answer.body)) for (const { data } of events) yield* reader.read(data);
  } catch (thrown) {
    yield* reader.broken(thrown, request.signal.aborted);
    return;
  }
  yield* reader.end();
}

/** Where someone looks for a fault (WIELD_DEBUG), as all tests do, no request leaves that a strict server would refuse: it would be a bug of ours. */
function checked({ body, faultsOf }: WirePost): ProviderError | null {
  if (process.env['WIELD_DEBUG'] === undefined) return null;
  const faults = faultsOf(JSON.parse(body));
  return faults.length === 0
    ? null
    : { kind: 'bad_request', message: `The request is not sound: ${faults.join('; ')}.`, status: null };
}
