import type { ProviderError, ProviderErrorKind } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';

/** What is worth sending again. 529 is Anthropic's "overloaded". */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Tells whether the same request may do better in a moment. An empty account also answers 429, and will do so again. */
export function isRetryableError({ kind, status }: ProviderError): boolean {
  return kind !== 'quota' && kind !== 'context_overflow' && status !== null && isRetryableStatus(status);
}

/** A web page where a stream was expected: a base URL that leads beside the API, or a login page in between. */
export function webPageError(host: string, status: number): ProviderError {
  const message = `${host} answered with a web page: its base URL is wrong, or a login page or proxy stands in between.`;
  return { kind: 'unreachable', message, status };
}

/** Reads an HTTP error answer, whose body may be JSON of several shapes, or a proxy's page. */
export function classifyHttpError(status: number, body: string): ProviderError {
  const { type, message } = parseErrorBody(body);
  // An API says no in JSON; a page comes from a firewall or a login in between, and the key was not even seen.
  const kind = status === 403 && PAGE.test(body) ? 'unreachable' : kindOf(status, type, message);
  return { kind, message: message || `The server answered ${status} without a reason.`, status };
}

const PAGE = /^\s*<(?:!doctype|html)\b/i;

/** The kind that an error's own type word tells, or null. Providers use the same words in bodies and in streams. */
export function kindOfErrorType(type: string): ProviderErrorKind | null {
  return KINDS_BY_TYPE.get(type) ?? null;
}

// A map: the words come from outside, and one may be `constructor`. Google writes its in capitals, Azure as one word.
const KINDS_BY_TYPE: ReadonlyMap<string, ProviderErrorKind> = new Map(
  Object.entries({
    authentication_error: 'key_rejected',
    permission_error: 'key_rejected',
    invalid_api_key: 'key_rejected',
    UNAUTHENTICATED: 'key_rejected',
    PERMISSION_DENIED: 'key_rejected',
    insufficient_quota: 'quota',
    billing_error: 'quota',
    exceeded_current_quota_error: 'quota',
    rate_limit_error: 'rate_limit',
    rate_limit_exceeded: 'rate_limit',
    RateLimitReached: 'rate_limit',
    // Without another word: Google says the same of a limit a minute and of a plan that is used up.
    RESOURCE_EXHAUSTED: 'rate_limit',
    overloaded_error: 'overloaded',
    UNAVAILABLE: 'overloaded',
    api_error: 'server',
    server_error: 'server',
    timeout_error: 'server',
    invalid_request_error: 'bad_request',
    not_found_error: 'bad_request',
    model_not_found: 'bad_request',
    request_too_large: 'context_overflow',
    context_length_exceeded: 'context_overflow',
    too_many_prompt_tokens: 'context_overflow',
    TOO_MANY_TOKENS: 'context_overflow',
  }),
);

const CONTEXT_WORDS =
  /prompt (is )?too long|context[ _](length|window)|maximum context|too many tokens|input is too long|exceeds the (maximum|context)|input tokens exceeded|messages is too long|request too large/i;
// Some answer 400 to a key that they do not know. Source: recorded answers of Gemini and xAI, 2026
const KEY_WORDS = /\b(?:api key not valid|(?:incorrect|invalid) api key)\b/i;
// Anthropic answers 400 to an empty account, xAI 403, Zhipu 429; the type says nothing of it. Their words are unverified.
const QUOTA_WORDS =
  /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|(?:does not|doesn't) have any credits|used all available credits/i;

function kindOf(status: number, type: string, message: string): ProviderErrorKind {
  if (CONTEXT_WORDS.test(message) && status >= 400 && status < 500) return 'context_overflow';
  if (status === 413) return 'context_overflow';
  if (status === 402 || (QUOTA_WORDS.test(message) && status >= 400 && status < 500)) return 'quota';
  if (status === 401 || (KEY_WORDS.test(message) && status >= 400 && status < 404)) return 'key_rejected';
  const byType = kindOfErrorType(type);
  if (byType !== null && byType !== 'server') return byType;
  if (status === 403) return 'key_rejected';
  if (status === 407) return 'unreachable';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'bad_request';
}

function parseErrorBody(body: string): { readonly type: string; readonly message: string } {
  const root = parseJson(body);
  const first: unknown = Array.isArray(root) ? root[0] : root;
  const error = isJsonObject(first) ? (first['error'] ?? first['detail'] ?? first) : null;
  if (typeof error === 'string') return { type: '', message: error };
  if (isJsonObject(error)) return { type: typeOf(error), message: messageOfError(error) };
  if (Array.isArray(error)) return { type: '', message: error.map(faultText).join('; ') };
  const page = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { type: '', message: page.trim().slice(0, MAX_MESSAGE_CHARS) };
}

const MAX_MESSAGE_CHARS = 300;

/** The word that tells most: vendors spread theirs over four fields. */
function typeOf(error: JsonObject): string {
  const words = ['code', 'type', 'status', 'error_type'].map((key) => error[key]).filter((word) => typeof word === 'string');
  const known = words.filter((word) => kindOfErrorType(word) !== null);
  // OpenAI's family says invalid_request_error of anything; a second word is more exact.
  return known.find((word) => kindOfErrorType(word) !== 'bad_request') ?? known[0] ?? words.at(-1) ?? '';
}

function messageOfError(error: JsonObject): string {
  const { message } = error;
  if (typeof message !== 'string') return JSON.stringify(error);
  // A gateway's own sentence says only that someone behind it failed. Source: openrouter.ai/docs, errors
  const metadata = error['metadata'];
  const raw = isJsonObject(metadata) ? metadata['raw'] : null;
  return typeof raw === 'string' && raw !== '' ? `${message}: ${raw.slice(0, MAX_MESSAGE_CHARS)}` : message;
}

/** One entry of FastAPI's list of faults, such as Mistral's and vLLM's: `{ loc: ["body", "tools"], msg }`. */
function faultText(fault: unknown): string {
  if (!isJsonObject(fault) || typeof fault['msg'] !== 'string') return JSON.stringify(fault);
  const place = Array.isArray(fault['loc']) ? fault['loc'].join('.') : '';
  return place === '' ? fault['msg'] : `${place}: ${fault['msg']}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
