import type { IncomingMessage } from 'node:http';
import { messageOf, systemCodeOf } from '../../core/errors.ts';
import type { WebAccess, WebOutcome } from '../../core/web-access.ts';
import { checkedAddresses, lookupOf, PrivateAddress, type Resolver, systemResolver } from './checked-addresses.ts';
import { isText, textOfBody } from './page-text.ts';
import { isPublicAddress } from './public-address.ts';
import { readBody } from './web-body.ts';

export interface WebAccessOptions {
  /** Which addresses may be connected to. Default: public ones. */
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: Resolver;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const HEADERS = {
  'user-agent': 'wield (WebFetch)',
  accept: 'text/markdown, text/html, application/xhtml+xml;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
  'accept-encoding': 'gzip, br',
};

/** The public web, from this machine. Each connection is checked anew, that of a redirect too; another host is never gone on to. */
export function createWebAccess(options: WebAccessOptions = {}): WebAccess {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  return {
    fetch: async (url, signal) => {
      const deadline = AbortSignal.timeout(timeoutMs);
      const host = new URL(url).host;
      try {
        return await follow(new URL(url), AbortSignal.any([signal, deadline]), options);
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        if (thrown instanceof PrivateAddress) return { type: 'private', host, address: thrown.address };
        if (deadline.aborted) return { type: 'too_slow', host, timeoutMs };
        return { type: 'unreachable', host, detail: reasonOf(thrown) };
      }
    },
  };
}

async function follow(from: URL, signal: AbortSignal, options: WebAccessOptions): Promise<WebOutcome> {
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(url, signal, options);
    const next = targetOf(answer, url);
    if (next === null) return read(answer, url, options);
    answer.destroy();
    if (next.hostname !== url.hostname || !isWebAddress(next)) return { type: 'moved', url: next.href };
    url = next;
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Where an answer sends on to, or null. */
function targetOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  const target = URL.parse(location, from.href);
  if (target === null) return null;
  if (target.hash === '') target.hash = from.hash;
  target.username = '';
  target.password = '';
  return target;
}

async function get(
  url: URL,
  signal: AbortSignal,
  { isAllowed = isPublicAddress, resolve = systemResolver }: WebAccessOptions,
): Promise<IncomingMessage> {
  const addresses = await unlessAborted(checkedAddresses(url.hostname, { resolve, isAllowed }), signal);
  // Not `import 'node:http'`: see host/http/http.ts.
  const client = process.getBuiltinModule(url.protocol === 'http:' ? 'node:http' : 'node:https');
  return new Promise((settle, reject) => {
    // A connection of its own: one that is kept was checked for another request.
    const request = client.request(url, { headers: HEADERS, agent: false, lookup: lookupOf(addresses), signal }, settle);
    request.on('error', reject);
    request.end();
  });
}

/** A name server takes its time, whoever has lost patience. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new Error('aborted'));
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

async function read(answer: IncomingMessage, url: URL, { maxBytes = MAX_BYTES }: WebAccessOptions): Promise<WebOutcome> {
  const type = answer.headers['content-type'] ?? '';
  const contentType = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!isText(contentType)) {
    answer.destroy();
    return { type: 'not_text', url: url.href, contentType };
  }
  const { bytes, isCut } = await readBody(answer, maxBytes);
  const text = await textOfBody(bytes, { type, url: url.href });
  if (text === null) return { type: 'not_text', url: url.href, contentType: contentType === '' ? 'binary' : contentType };
  return { type: 'page', url: url.href, status: answer.statusCode ?? 0, contentType, text, isCut };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name server did not answer',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  ENETUNREACH: 'there is no network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

function reasonOf(thrown: unknown): string {
  return REASONS[systemCodeOf(thrown) ?? ''] ?? messageOf(thrown);
}
