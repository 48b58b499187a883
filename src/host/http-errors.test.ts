import { expect, test } from 'vitest';
import { classifyHttpError, isRetryableStatus, kindOfErrorType } from './http-errors.ts';

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
])('%i %s', (status, body, kind, message) => {
  expect(classifyHttpError(status, body)).toEqual({ kind, message, status });
});

test('what is worth another try', () => {
  expect([200, 400, 401, 404, 408, 409, 413, 429, 500, 502, 503, 529].filter(isRetryableStatus)).toEqual([
    408, 409, 429, 500, 502, 503, 529,
  ]);
});

test('words that are no types are none', () => {
  expect(kindOfErrorType('overloaded_error')).toBe('overloaded');
  for (const word of ['', 'other', 'constructor', '__proto__']) expect(kindOfErrorType(word)).toBeNull();
});
