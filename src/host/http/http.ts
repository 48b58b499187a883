import { messageOf, type ProviderError, systemCodeOf } from '../../core/errors.ts';
import type { Carrier, RetryWait } from '../../core/model.ts';
import { pause } from '../../core/pause.ts';
import { readText } from './answer-body.ts';
import { type HttpAnswer, carriedOf, answerOfCarried } from './http-answer.ts';
import { classifyHttpError, isRetryableError, isWebPage, webPageError } from './http-errors.ts';
import { requestFault } from './request-fault.ts';
import { checkStream, foreignEncodingOf } from './stream-check.ts';

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
  readonly carrier?: Carrier;
}

/** A body to stream, or why there is none. */
export type PostAnswer =
  | { readonly ok: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly error: ProviderError };

/**
 * Sends a POST and hands out the body, a stream of events, as it comes. Before its first byte it tries again on 408, 409, 429, 5xx,
 * 529, lost connections and empty bodies, honouring retry-after; after it, a broken body throws out of the iteration. No redirect is
 * followed: the key would go along.
 * Errors: never throws; an abort is an error of kind `aborted`.
 */
export async function postForStream(request: PostRequest): Promise<PostAnswer> {
  const policy = request.retry ?? DEFAULT_RETRY;
  const fault = requestFault(request.url, request.headers);
  if (fault !== null) return { ok: false, error: fault };
  for (let attempt = 0; ; attempt++) {
    const answer = await postOnce(request);
    if (answer.ok) return answer;
    if (!answer.isRetryable || attempt >= policy.retries || request.signal.aborted) return answer;
    const delayMs = answer.retryAfterMs ?? policy.baseDelayMs * 2 ** attempt * (0.75 + Math.random() / 2);
    if (delayMs > policy.maxDelayMs) return { ok: false, error: withWait(answer.error, delayMs) };
    request.onRetryWait?.({ untilMs: Date.now() + delayMs, cause: answer.error.message });
    await pause(request.carrier?.waits === false ? 0 : delayMs, request.signal);
  }
}

/** Longer than anyone waits before an answer: whoever reads it decides. */
function withWait(error: ProviderError, delayMs: number): ProviderError {
  const seconds = Math.ceil(delayMs / 1000);
  const wait =
    seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
  return { ...error, message: `${error.message} The server asks to wait ${wait}.` };
}

type Attempt =
  | { readonly ok: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly error: ProviderError; readonly isRetryable: boolean; readonly retryAfterMs: number | null };

const DEFAULT_IDLE_TIMEOUT_MS = 300_000;

async function postOnce(request: PostRequest): Promise<Attempt> {
  try {
    const response = await carried(request);
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) return refuseRedirect(request, response);
    if (status < 200 || status >= 300) return await refuse(request, response);
    const checked = await checkStream(hostOf(request.url), response);
    return checked.ok ? checked : { ...checked, retryAfterMs: parseRetryAfter(response) };
  } catch (thrown) {
    return { ok: false, error: networkError(request, thrown), isRetryable: !request.signal.aborted, retryAfterMs: null };
  }
}

async function refuse({ url }: PostRequest, response: HttpAnswer): Promise<Attempt> {
  const error = await errorOf(hostOf(url), response);
  const shouldRetry = response.headers['x-should-retry'];
  return {
    ok: false,
    error,
    isRetryable: shouldRetry === undefined ? isRetryableError(error) : shouldRetry === 'true',
    retryAfterMs: parseRetryAfter(response),
  };
}

async function errorOf(host: string, response: HttpAnswer): Promise<ProviderError> {
  const status = response.statusCode ?? 0;
  const encoding = foreignEncodingOf(response);
  const body = await readText(response);
  if (encoding !== null) {
    const message = `${host} gave its reason in the encoding "${encoding}", which was not asked for.`;
    return { ...classifyHttpError(status, ''), message };
  }
  return isWebPage(status, body) ? webPageError(host, status, body) : classifyHttpError(status, body);
}

function refuseRedirect({ url }: PostRequest, response: HttpAnswer): Attempt {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  response.destroy();
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : null;
  const message =
    target === null
      ? `${hostOf(url)} redirects to no address. Check the base URL.`
      : `${hostOf(url)} redirects to ${target}, which is not followed. If you trust it, set the base URL to it.`;
  return { ok: false, error: { kind: 'unreachable', message, status }, isRetryable: false, retryAfterMs: null };
}

async function carried(request: PostRequest): Promise<HttpAnswer> {
  const { carrier } = request;
  if (carrier === undefined) return send(request);
  return answerOfCarried(await carrier.carry(request, async () => carriedOf(await send(request))));
}

// One agent a protocol: the turns of a session go over one connection.
const agents = new Map<string, import('node:http').Agent>();

function send(request: PostRequest): Promise<HttpAnswer> {
  const url = new URL(request.url);
  // Not `import 'node:http'`: an ES import reads every export and so loads all of undici (about 40 ms at start).
  const client = process.getBuiltinModule(url.protocol === 'http:' ? 'node:http' : 'node:https');
  const agent = agents.get(url.protocol) ?? new client.Agent({ keepAlive: true });
  agents.set(url.protocol, agent);
  const headers = {
    'accept-encoding': 'identity',
    ...request.headers,
    'content-length': String(Buffer.byteLength(request.body)),
  };
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

function parseRetryAfter(response: HttpAnswer): number | null {
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
