import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  classifyHttpError,
  errorInBody,
  isRetryableError,
  isRetryableStatus,
  kindOfErrorType,
  webPageError,
} from './http-errors.ts';

const anthropic = (type: string, message: string): string => JSON.stringify({ type: 'error', error: { type, message } });

test.each([
  [401, anthropic('authentication_error', 'invalid x-api-key'), 'key_rejected', 'invalid x-api-key'],
  [
    401,
    '{"error":{"message":"Your api key is invalid","type":"authentication_error","code":"invalid_request_error"}}',
    'key_rejected',
    'Your api key is invalid',
  ],
  [
    400,
    '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
    'key_rejected',
    'API key not valid. Please pass a valid API key.',
  ],
  [
    400,
    '{"code":"Client specified an invalid argument","error":"Incorrect API key provided."}',
    'key_rejected',
    'Incorrect API key provided.',
  ],
  [403, anthropic('permission_error', 'no'), 'key_rejected', 'no'],
  [402, '{"error":{"message":"pay"}}', 'quota', 'pay'],
  [
    429,
    '{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}',
    'quota',
    'You exceeded your current quota',
  ],
  [429, anthropic('rate_limit_error', 'slow down'), 'rate_limit', 'slow down'],
  [529, anthropic('overloaded_error', 'Overloaded'), 'overloaded', 'Overloaded'],
  [503, 'busy', 'overloaded', 'busy'],
  [500, anthropic('api_error', 'Internal'), 'server', 'Internal'],
  [400, anthropic('invalid_request_error', 'messages.1: wrong'), 'bad_request', 'messages.1: wrong'],
  [
    400,
    anthropic('invalid_request_error', 'prompt is too long: 3333404 tokens > 200000 maximum'),
    'context_overflow',
    'prompt is too long: 3333404 tokens > 200000 maximum',
  ],
  [
    400,
    '{"message":"Input Tokens Exceeded: Number of input tokens exceeds maximum length."}',
    'context_overflow',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
  ],
  [413, anthropic('request_too_large', 'too large'), 'context_overflow', 'too large'],
  [404, '{"detail":"no such model"}', 'bad_request', 'no such model'],
  [502, '<html><body><h1>Bad Gateway</h1>\n<p>nginx</p></body></html>', 'server', 'Bad Gateway nginx'],
  [500, '', 'server', 'The server answered 500 without a reason.'],
  [400, '{"error":{"weird":1}}', 'bad_request', '{"weird":1}'],
  [401, '{"detail":"Invalid API Key"}', 'key_rejected', 'Invalid API Key'],
  [401, '{"id":"1","message":"Incorrect API key provided: ***."}', 'key_rejected', 'Incorrect API key provided: ***.'],
  [403, '{"error":{"code":403,"message":"no access","status":"PERMISSION_DENIED"}}', 'key_rejected', 'no access'],
  [403, '<!DOCTYPE html><title>Blocked</title>', 'unreachable', 'Blocked'],
  [407, '', 'unreachable', 'The server answered 407 without a reason.'],
  [
    400,
    anthropic('invalid_request_error', 'Your credit balance is too low to go on.'),
    'quota',
    'Your credit balance is too low to go on.',
  ],
  [
    403,
    '{"code":"denied","error":"The team does not have any credits yet."}',
    'quota',
    'The team does not have any credits yet.',
  ],
  [429, '{"error":{"code":"1113","message":"Insufficient balance, recharge."}}', 'quota', 'Insufficient balance, recharge.'],
  [429, '{"error":{"type":"exceeded_current_quota_error","message":"suspended"}}', 'quota', 'suspended'],
  [429, '{"error":{"code":"RateLimitReached","message":"too fast"}}', 'rate_limit', 'too fast'],
  [
    429,
    '{"error":{"code":429,"message":"exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}',
    'rate_limit',
    'exceeded your current quota',
  ],
  [
    413,
    '{"error":{"message":"over the limit a minute","type":"tokens","code":"rate_limit_exceeded"}}',
    'context_overflow',
    'over the limit a minute',
  ],
  [
    429,
    '{"error":{"message":"Request too large for m: limit 30000, requested 40000","code":"rate_limit_exceeded"}}',
    'context_overflow',
    'Request too large for m: limit 30000, requested 40000',
  ],
  [
    400,
    '{"error":{"message":"too big","type":"invalid_request_error","code":"context_length_exceeded"}}',
    'context_overflow',
    'too big',
  ],
  [400, '{"error":{"message":"cut it","type":"too_many_prompt_tokens","code":400}}', 'context_overflow', 'cut it'],
  [400, '{"error_type":"TOO_MANY_TOKENS","message":"size limit"}', 'context_overflow', 'size limit'],
  [
    400,
    '{"error":{"code":400,"message":"request (5120 tokens) exceeds it","type":"exceed_context_size_error"}}',
    'context_overflow',
    'request (5120 tokens) exceeds it',
  ],
  [400, '{"error":{"code":"1261","message":"Too much."}}', 'context_overflow', 'Too much.'],
  [400, '{"error":{"code":1261,"message":"Too much."}}', 'context_overflow', 'Too much.'],
  [404, '<html><body>Not Found</body></html>', 'unreachable', 'Not Found'],
  [400, ' <!-- x --><html>Bad</html>', 'unreachable', 'Bad'],
  [429, '<html><title>Slow down</title></html>', 'rate_limit', 'Slow down'],
  [503, '{"error":{"code":503,"message":"high demand","status":"UNAVAILABLE"}}', 'overloaded', 'high demand'],
  [
    404,
    '{"error":{"message":"no model x","type":"invalid_request_error","code":"model_not_found"}}',
    'bad_request',
    'no model x',
  ],
  [422, '{"detail":[{"loc":["body","tools",0],"msg":"extra field","type":"extra"}]}', 'bad_request', 'body.tools.0: extra field'],
  [400, '{"object":"error","message":"bad role","type":"BadRequestError","code":400}', 'bad_request', 'bad role'],
  [
    502,
    '{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream fell over"}}}',
    'server',
    'Provider returned error: upstream fell over',
  ],
])('%i %s', (status, body, kind, message) => {
  expect(classifyHttpError(status, body)).toEqual({ kind, message, status });
});

// The vendors' own words, without a type that would tell.
test.each([
  'request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it',
  "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
  'Prompt exceeds max length',
  'Invalid request: Your request exceeded model token limit: 8192',
  'Range of input length should be [1, 129024]',
  'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 64',
  'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
])('the context is full, also at 429: %s', (message) => {
  for (const status of [400, 429])
    expect(classifyHttpError(status, JSON.stringify({ error: { message } })).kind).toBe('context_overflow');
});

test.each([
  [{ message: 'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.' }],
  [{ message: 'Too many tokens, please wait before trying again.' }],
  [{ message: 'The number of tokens exceeds the maximum per minute.' }],
  [{ message: 'Slow.', code: 'TOO_MANY_TOKENS' }],
])('a limit a minute is none of the context: %j', (error) => {
  expect(classifyHttpError(429, JSON.stringify({ error })).kind).toBe('rate_limit');
});

test.each([
  ['{"error":{"message":"Overloaded","type":"overloaded_error"}}', 'overloaded', 400],
  ['{"error":{"message":"down","type":"api_error"}}', 'server', 500],
  ['[{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}]', 'overloaded', 503],
  ['{"error":"no such model"}', 'bad_request', 400],
  ['{"object":"error","message":"prompt is too long"}', 'context_overflow', 400],
  ['{"detail":"Invalid API Key"}', 'key_rejected', 400],
])('a body is an error: %s', (body, kind, status) => {
  expect(errorInBody(body)).toMatchObject({ kind, status });
});

test.each(['{"choices":[],"error":null}', '{"id":"1"}', '[]', '7', 'null', '{"half'])('a body is no error: %s', (body) => {
  expect(errorInBody(body)).toBeNull();
});

test('what is worth another try', () => {
  expect([200, 400, 401, 404, 408, 409, 413, 429, 500, 502, 503, 529].filter(isRetryableStatus)).toEqual([
    408, 409, 429, 500, 502, 503, 529,
  ]);
});

test('an empty account and a full context are not asked again, however they are numbered', () => {
  const again = (status: number, body: string): boolean => isRetryableError(classifyHttpError(status, body));
  expect(again(429, '{"error":{"code":"insufficient_quota","message":"pay"}}')).toBe(false);
  expect(again(429, '{"error":{"message":"Request too large"}}')).toBe(false);
  expect(again(429, '{"error":{"message":"slow down"}}')).toBe(true);
  expect(again(503, '')).toBe(true);
  expect(again(400, '{"error":{"message":"no"}}')).toBe(false);
});

test('a web page is told as such', () => {
  expect(webPageError('example.com:80', 200)).toEqual({
    kind: 'unreachable',
    message: 'example.com:80 answered with a web page: its base URL is wrong, or a login page or proxy stands in between.',
    status: 200,
  });
});

const RECORDED = join(import.meta.dirname, '../../../../shared/cases/http-errors.jsonl');

// By what stands in the record: the kind of each, in order.
const RECORDED_KINDS: readonly string[] = [
  ...Array.from({ length: 7 }, () => 'key_rejected'),
  'context_overflow',
  'rate_limit',
  ...Array.from({ length: 3 }, () => 'context_overflow'),
  'rate_limit',
  ...Array.from({ length: 5 }, () => 'context_overflow'),
  'key_rejected',
  'bad_request',
  ...Array.from({ length: 2 }, () => 'key_rejected'),
  ...Array.from({ length: 4 }, () => 'bad_request'),
];

// The recordings are not part of this repository.
test.skipIf(!existsSync(RECORDED))(
  'recorded answers are told apart, each in its own words (skipped where ../shared/cases is absent)',
  () => {
    const records = readFileSync(RECORDED, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: number; body: string });
    const errors = records.map(({ status, body }) => classifyHttpError(status, body));
    expect(errors.map(({ kind }) => kind)).toEqual(RECORDED_KINDS);
    expect(errors.filter(isRetryableError).map(({ kind }) => kind)).toEqual(['rate_limit', 'rate_limit']);
    for (const { message } of errors) expect(message).toMatch(/^[A-Z`][^{<]{20,}|^prompt|^messages|^too many|^Input|^Invalid/);
  },
);

test('words that are no types are none', () => {
  expect(kindOfErrorType('overloaded_error')).toBe('overloaded');
  for (const word of ['', 'other', 'constructor', '__proto__']) expect(kindOfErrorType(word)).toBeNull();
});
