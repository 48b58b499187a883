import type { ProviderError } from '../../core/errors.ts';
import { type OpenBody, openBody, readText } from './answer-body.ts';
import type { HttpAnswer } from './http-answer.ts';
import { errorInBody, isRetryableError, webPageError } from './http-errors.ts';

/** A body of server-sent events, or what a successful answer is in its place. */
export type CheckedBody =
  | { readonly ok: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly error: ProviderError; readonly isRetryable: boolean };

/** Looks at the headers and the first bytes of a successful answer. Errors: throws where the connection breaks before them. */
export async function checkStream(host: string, response: HttpAnswer): Promise<CheckedBody> {
  const encoding = foreignEncodingOf(response);
  if (encoding !== null) {
    response.destroy();
    return refused(protocolError(`${host} sent its answer in the encoding "${encoding}", which was not asked for.`, response));
  }
  const open = await openBody(response);
  // No wire format is HTML, so a page is not a stream that broke.
  if (open.head.startsWith('<') || isOfType(response, 'text/html'))
    return refused(webPageError(host, response.statusCode ?? 0, await readText(open.body)));
  if (open.head === '') return refusedAsEmpty(host, response);
  if (/^[{["]/.test(open.head)) return refusedAsJson(host, response, open);
  if (isEventStream(response, open)) return { ok: true, body: open.body };
  const text = (await readText(open.body)).trim().slice(0, MAX_QUOTE_CHARS);
  return refused(protocolError(`${host} answered with text and not with a stream of events: ${text}`, response));
}

/** An encoding that wield cannot read and did not ask for, or null. */
export function foreignEncodingOf({ headers }: HttpAnswer): string | null {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? null : encoding;
}

const MAX_QUOTE_CHARS = 300;
const EVENT_LINE = /^(?::|(?:data|event|id|retry)\s*(?::|[\r\n]|$))/;

/** A server that says so may begin with a field that nobody knows. */
function isEventStream(response: HttpAnswer, { head }: OpenBody): boolean {
  return EVENT_LINE.test(head) || isOfType(response, 'text/event-stream');
}

function isOfType({ headers }: HttpAnswer, type: string): boolean {
  return (headers['content-type'] ?? '').trim().toLowerCase().startsWith(type);
}

/** Nothing was lost with it, so it is worth another try. */
function refusedAsEmpty(host: string, response: HttpAnswer): CheckedBody {
  response.destroy();
  const message = `${host} answered with an empty body.`;
  return { ok: false, error: { kind: 'unreachable', message, status: response.statusCode ?? 0 }, isRetryable: true };
}

async function refusedAsJson(host: string, response: HttpAnswer, { body }: OpenBody): Promise<CheckedBody> {
  const error = errorInBody(await readText(body));
  const noStream = `${host} answered with JSON and not with a stream of events: it does not stream, or a proxy collects the answer.`;
  if (error === null) return refused(protocolError(noStream, response));
  return { ok: false, error: { ...error, status: response.statusCode ?? 0 }, isRetryable: isRetryableError(error) };
}

function refused(error: ProviderError): CheckedBody {
  return { ok: false, error, isRetryable: false };
}

function protocolError(message: string, response: HttpAnswer): ProviderError {
  return { kind: 'protocol', message, status: response.statusCode ?? 0 };
}
