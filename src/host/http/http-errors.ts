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
export function webPageError(host: string, status: number, page = ''): ProviderError {
  const words = wordsOf(page);
  const message = `${host} answered with a web page: its base URL is wrong, or a login page or proxy stands in between.`;
  return { kind: 'unreachable', message: words === '' ? message : `${message} The page says: ${words}`, status };
}

/** Tells whether an error answer is a page. An API says no in JSON; behind a page, the key was not even seen. */
export function isWebPage(status: number, body: string): boolean {
  return status < 500 && !HAS_SENSE_AS_PAGE.has(status) && PAGE.test(body);
}

const PAGE = /^\s*<(?:!--|(?:!doctype|html|head|body|\?xml)\b)/i;
/** What gateways say with a page of their own and mean. */
const HAS_SENSE_AS_PAGE: ReadonlySet<number> = new Set([408, 413, 429]);

/** Reads an HTTP error answer, whose body may be JSON of several shapes, or a proxy's page. */
export function classifyHttpError(status: number, body: string): ProviderError {
  const { type, message } = parseErrorBody(body);
  const kind = isWebPage(status, body) ? 'unreachable' : kindOf(status, type, message);
  return { kind, message: message || `The server answered ${status} without a reason.`, status };
}

/** The error that the JSON body of a 200 answer is, or null. Its status is the one that it names itself, or what its type stands for. */
export function errorInBody(body: string): ProviderError | null {
  const root = parseJson(body);
  const first: unknown = Array.isArray(root) ? root[0] : root;
  if (!isJsonObject(first)) return null;
  const isError = [first['object'], first['type'], first['status']].includes('error');
  const told = first['error'] ?? (isError ? first : first['detail']);
  if (told === undefined || told === null || told === '') return null;
  const { code, status, status_code } = isJsonObject(told) ? told : first;
  const named = [code, status, status_code].map(Number).find((number) => number >= 400 && number < 600);
  const type = isJsonObject(told) ? typeOf(told) : '';
  return classifyHttpError(named ?? (kindOfErrorType(type) === 'server' ? 500 : 400), body);
}

/** Tells by the words of an error whether the prompt is too long for the model, whatever its number and type say. */
export function saysContextOverflow(message: string): boolean {
  return CONTEXT_WORDS.test(message);
}

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
    exceed_context_size_error: 'context_overflow', // llama.cpp
    1261: 'context_overflow', // Zhipu
  }),
);

// In the order of the lines: Anthropic and Zhipu, everyone, xAI and Moonshot, Qwen, Together, Google and Bedrock, others.
const CONTEXT_WORDS = new RegExp(
  [
    'prompt (?:is )?too long|prompt exceeds max',
    'context[ _](?:length|window|size|limit)|maximum context',
    'maximum prompt length|exceeded model token limit',
    'range of input length should be',
    'inputs`? tokens \\+ `?max_new_tokens',
    'input token count .{0,40}exceeds|input tokens exceeded',
    'input is too long|messages is too long|request too large',
  ].join('|'),
  'i',
);
/** What a 429 says of a limit a minute, and every other answer of the context. */
const LOOSE_CONTEXT_WORDS = /too many tokens|exceeds the (?:maximum|context)/i;
// Some answer 400 to a key that they do not know. Source: recorded answers of Gemini and xAI, 2026
const KEY_WORDS = /\b(?:api key not valid|(?:incorrect|invalid) api key)\b/i;
// Anthropic answers 400 to an empty account, xAI 403, Zhipu 429; the type says nothing of it. Their words are unverified.
const QUOTA_WORDS =
  /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|(?:does not|doesn't) have any credits|used all available credits/i;

function kindOf(status: number, type: string, message: string): ProviderErrorKind {
  if (saysContextIsFull(status, message)) return 'context_overflow';
  if (status === 413) return 'context_overflow';
  if (status === 402 || (QUOTA_WORDS.test(message) && status >= 400 && status < 500)) return 'quota';
  if (status === 401 || (KEY_WORDS.test(message) && status >= 400 && status < 404)) return 'key_rejected';
  const byType = kindOfErrorType(type);
  if (status === 429 && type === 'TOO_MANY_TOKENS') return 'rate_limit';
  if (byType !== null && byType !== 'server') return byType;
  if (status === 403) return 'key_rejected';
  if (status === 407) return 'unreachable';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'bad_request';
}

function saysContextIsFull(status: number, message: string): boolean {
  if (saysContextOverflow(message)) return true;
  return status >= 400 && status < 500 && status !== 429 && LOOSE_CONTEXT_WORDS.test(message);
}

function parseErrorBody(body: string): { readonly type: string; readonly message: string } {
  const root = parseJson(body);
  const first: unknown = Array.isArray(root) ? root[0] : root;
  const error = isJsonObject(first) ? (first['error'] ?? first['detail'] ?? first) : null;
  if (typeof error === 'string') return { type: '', message: error };
  if (isJsonObject(error)) return { type: typeOf(error), message: messageOfError(error) };
  if (Array.isArray(error)) return { type: '', message: error.map(faultText).join('; ') };
  return { type: '', message: wordsOf(body) };
}

/** The text of a page. */
function wordsOf(page: string): string {
  const words = page.replaceAll(/<(style|script)\b.*?<\/\1>/gis, ' ').replaceAll(/<[^>]*>/g, ' ');
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS);
}

const MAX_MESSAGE_CHARS = 300;

/** The word that tells most: vendors spread theirs over four fields. */
function typeOf(error: JsonObject): string {
  const fields = ['code', 'type', 'status', 'error_type'].map((key) => error[key]);
  const words = fields.map((word) => (typeof word === 'number' ? String(word) : word)).filter((word) => typeof word === 'string');
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
