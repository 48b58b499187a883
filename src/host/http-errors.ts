import type { ProviderError, ProviderErrorKind } from '../core/errors.ts';
import { isJsonObject } from '../core/json-value.ts';

/** What is worth sending again. 529 is Anthropic's "overloaded". */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Reads an HTTP error answer, whose body may be JSON of several shapes, or a proxy's page. */
export function classifyHttpError(status: number, body: string): ProviderError {
  const { type, message } = parseErrorBody(body);
  return { kind: kindOf(status, type, message), message: message || `The server answered ${status} without a reason.`, status };
}

/** The kind that an error's own type word tells, or null. Providers use the same words in bodies and in streams. */
export function kindOfErrorType(type: string): ProviderErrorKind | null {
  return KINDS_BY_TYPE.get(type) ?? null;
}

// A map: the words come from outside, and one may be `constructor`.
const KINDS_BY_TYPE: ReadonlyMap<string, ProviderErrorKind> = new Map(
  Object.entries({
    authentication_error: 'key_rejected',
    permission_error: 'key_rejected',
    invalid_api_key: 'key_rejected',
    insufficient_quota: 'quota',
    billing_error: 'quota',
    rate_limit_error: 'rate_limit',
    overloaded_error: 'overloaded',
    api_error: 'server',
    server_error: 'server',
    timeout_error: 'server',
    invalid_request_error: 'bad_request',
    not_found_error: 'bad_request',
    request_too_large: 'context_overflow',
  }),
);

const CONTEXT_WORDS =
  /prompt (is )?too long|context[ _](length|window)|maximum context|too many tokens|input is too long|exceeds the (maximum|context)|input tokens exceeded|messages is too long/i;
// Some answer 400 to a key that they do not know. Source: recorded answers of Gemini and xAI, 2026
const KEY_WORDS = /\b(?:api key not valid|(?:incorrect|invalid) api key)\b/i;

function kindOf(status: number, type: string, message: string): ProviderErrorKind {
  if (CONTEXT_WORDS.test(message) && status >= 400 && status < 500) return 'context_overflow';
  if (status === 401 || (KEY_WORDS.test(message) && status >= 400 && status < 404)) return 'key_rejected';
  const byType = kindOfErrorType(type);
  if (byType !== null && byType !== 'server') return byType;
  if (status === 403) return 'key_rejected';
  if (status === 402) return 'quota';
  if (status === 413) return 'context_overflow';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'bad_request';
}

function parseErrorBody(body: string): { readonly type: string; readonly message: string } {
  const root = parseJson(body);
  const first: unknown = Array.isArray(root) ? root[0] : root;
  const error = isJsonObject(first) ? (first['error'] ?? first['detail'] ?? first) : null;
  if (typeof error === 'string') return { type: '', message: error };
  if (isJsonObject(error)) {
    const [code, type] = [error['code'], error['type']].map((word) => (typeof word === 'string' ? word : ''));
    return {
      type: kindOfErrorType(code ?? '') === null ? (type ?? '') : (code ?? ''),
      message: typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error),
    };
  }
  const page = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { type: '', message: page.trim().slice(0, 300) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
