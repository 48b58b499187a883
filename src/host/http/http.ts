import { messageOf, type ProviderError, systemCodeOf } from '../../core/errors.ts';
import type { RetryWait } from '../../core/model.ts';
import { pause } from '../../core/pause.ts';
import { classifyHttpError, isRetryableError, webPageError } from './http-errors.ts';

type IncomingMessage = import('node:http').IncomingMessage;

export interface RetryPolicy {
  readonly retries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Two quick tries, then patience: about 0.5, 1, 2, 4 s. */
export const DEFAULT_RETRY: RetryPolicy = { retries: 4, baseDelayMs: 500, maxDelayMs: 60_000 };

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly retry?: RetryPolicy;
  /** A connection without a byte for so long is given up. */
  readonly idleTimeoutMs?: number;
  readonly onRetryWait?: ((wait: RetryWait) => void) | undefined;
}

/** A body to stream, or why there is none. */
export type PostAnswer =
  | { readonly ok: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly error: ProviderError };

/**
 * Sends a POST and hands out the body as it comes. Before the first byte it tries again on 408, 409, 429, 5xx, 529 and lost
 * connections, honouring retry-after; after it, a broken body throws out of the iteration.
 * Errors: never throws; an abort is an error of kind `aborted`.
 */
export async function postForStream(request: PostRequest): Promise<PostAnswer> {
  const policy = request.retry ?? DEFAULT_RETRY;
  for (let attempt = 0; ; attempt++) {
    const answer = await postOnce(request);
    if (answer.ok) return answer;
    if (!answer.isRetryable || attempt >= policy.retries || request.signal.aborted) return answer;
    const delayMs = answer.retryAfterMs ?? policy.baseDelayMs * 2 ** attempt * (0.75 + Math.random() / 2);
    if (delayMs > policy.maxDelayMs) return answer;
    request.onRetryWait?.({ untilMs: Date.now() + delayMs, cause: answer.error.message });
    await pause(delayMs, request.signal);
  }
}

type Attempt =
  | { readonly ok: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly error: ProviderError; readonly isRetryable: boolean; readonly retryAfterMs: number | null };

const MAX_ERROR_BODY_BYTES = 65_536;
const DEFAULT_IDLE_TIMEOUT_MS = 300_000;

async function postOnce(request: PostRequest): Promise<Attempt> {
  try {
    const response = await send(request);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return isWebPage(response) ? await refusePage(request, response) : accept(response);
    const error = classifyHttpError(status, await readText(response));
    const shouldRetry = response.headers['x-should-retry'];
    return {
      ok: false,
      error,
      isRetryable: shouldRetry === undefined ? isRetryableError(error) : shouldRetry === 'true',
      retryAfterMs: parseRetryAfter(response),
    };
  } catch (thrown) {
    return { ok: false, error: networkError(request, thrown), isRetryable: !request.signal.aborted, retryAfterMs: null };
  }
}

function accept(response: IncomingMessage): Attempt {
  return { ok: true, body: bodyOf(response) };
}

/** No wire format is HTML, so a page is not a stream that broke. */
function isWebPage({ headers }: IncomingMessage): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '');
}

async function refusePage({ url }: PostRequest, response: IncomingMessage): Promise<Attempt> {
  await readText(response);
  const error = webPageError(hostOf(url), response.statusCode ?? 0);
  return { ok: false, error, isRetryable: false, retryAfterMs: null };
}

// One agent a protocol: the turns of a session go over one connection.
const agents = new Map<string, import('node:http').Agent>();

function send(request: PostRequest): Promise<IncomingMessage> {
  const url = new URL(request.url);
  // Not `import 'node:http'`: an ES import reads every export and so loads all of undici (about 40 ms at start).
  const client = process.getBuiltinModule(url.protocol === 'http:' ? 'node:http' : 'node:https');
  const agent = agents.get(url.protocol) ?? new client.Agent({ keepAlive: true });
  agents.set(url.protocol, agent);
  const headers = { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) };
  const idleTimeoutMs = request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const outgoing = client.request(url, { method: 'POST', agent, headers }, resolve);
    // Not the request's own `signal`: an abort after the end would destroy a connection that is already someone else's.
    // Without an error of its own: once the answer came, a socket that is kept alive has nobody who would hear one.
    const onAbort = (): void => void outgoing.destroy();
    request.signal.addEventListener('abort', onAbort, { once: true });
    outgoing.on('close', () => request.signal.removeEventListener('abort', onAbort));
    outgoing.setTimeout(idleTimeoutMs, () => outgoing.destroy(new Error(`no byte for ${Math.round(idleTimeoutMs / 1000)} s`)));
    outgoing.on('error', reject);
    if (request.signal.aborted) onAbort();
    else outgoing.end(request.body);
  });
}

/** A reader that stops at the last word leaves the rest to be drained, so that the connection serves the next turn. */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } finally {
    response.on('error', () => undefined);
    response.resume();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_ERROR_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseRetryAfter(response: IncomingMessage): number | null {
  const ms = Number(response.headers['retry-after-ms']);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = response.headers['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name server did not answer',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
};

function networkError(request: PostRequest, thrown: unknown): ProviderError {
  if (request.signal.aborted) return { kind: 'aborted', message: 'Interrupted.', status: null };
  const reason = REASONS[systemCodeOf(thrown) ?? ''] ?? messageOf(thrown);
  return { kind: 'unreachable', message: `Could not reach ${hostOf(request.url)}: ${reason}.`, status: null };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
