import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type PostAnswer, postForStream, type PostRequest } from './http.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server whose answers come one after the other, the last one again and again. Gives its address and what it was sent. */
async function serve(...answers: readonly RequestListener[]): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      answers[Math.min(bodies.length, answers.length) - 1]?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x`, bodies };
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = `{"error":{"message":"no ${code}"}}`): RequestListener =>
  (_request, response) => {
    response.writeHead(code, headers).end(body);
  };

const post = (url: string, more: Partial<PostRequest> = {}): Promise<PostAnswer> =>
  postForStream({
    url,
    headers: { 'x-key': 'k' },
    body: '{"a":"é"}',
    signal: new AbortController().signal,
    retry: { retries: 3, baseDelayMs: 1, maxDelayMs: 1000 },
    ...more,
  });

async function textOf(answer: PostAnswer): Promise<string> {
  if (!answer.ok) return `${answer.error.kind} ${answer.error.status}: ${answer.error.message}`;
  const chunks: Uint8Array[] = [];
  for await (const bytes of answer.body) chunks.push(bytes);
  return Buffer.concat(chunks).toString('utf8');
}

describe('postForStream', () => {
  test('sends a body and streams the answer', async () => {
    const { url, bodies } = await serve((request, response) => {
      response.write(`data: ${request.method} ${String(request.headers['x-key'])} ${request.headers['content-length']} `);
      response.end('done');
    });
    expect(await textOf(await post(url))).toBe('data: POST k 10 done');
    expect(bodies).toEqual(['{"a":"é"}']);
  });

  test.each([408, 429, 500, 503, 529])('tries again after %i, and says so', async (code) => {
    const { url, bodies } = await serve(status(code), status(code), status(200, {}, 'data: ok'));
    const causes: string[] = [];
    expect(await textOf(await post(url, { onRetryWait: ({ cause }) => causes.push(cause) }))).toBe('data: ok');
    expect(bodies).toHaveLength(3);
    expect(causes).toEqual([`no ${code}`, `no ${code}`]);
  });

  test.each([
    [400, 'bad_request 400: no 400'],
    [401, 'key_rejected 401: no 401'],
    [404, 'bad_request 404: no 404'],
  ])('gives up at once after %i', async (code, expected) => {
    const { url, bodies } = await serve(status(code));
    expect(await textOf(await post(url))).toBe(expected);
    expect(bodies).toHaveLength(1);
  });

  test('a web page is told as what it is, not as a broken stream, and is not asked for again', async () => {
    const page = { 'content-type': 'Text/HTML; charset=utf-8' };
    const { url, bodies } = await serve(status(200, page, '<!doctype html><title>Sign in</title>'));
    expect(await textOf(await post(url))).toMatch(
      /^unreachable 200: 127\.0\.0\.1:\d+ answered with a web page: its base URL is wrong/,
    );
    expect(bodies).toHaveLength(1);
  });

  test.each([
    [200, 'text/plain', '\n<!DOCTYPE html><p>Sign in</p>', 'Sign in'],
    [200, 'text/event-stream', '<html><p>Sign in</p>', 'Sign in'],
    [404, 'text/html', '<html><h1>Not Found</h1></html>', 'Not Found'],
    [403, 'text/plain', '<!doctype html><title>Blocked</title>', 'Blocked'],
  ])('a web page at %i as %s is unreachable, in its words', async (code, type, page, words) => {
    const { url, bodies } = await serve(status(code, { 'content-type': type }, page));
    const told = await textOf(await post(url));
    expect(told).toMatch(/^unreachable \d+: 127\.0\.0\.1:\d+ answered with a web page/);
    expect(told).toContain(`The page says: ${words}`);
    expect(bodies).toHaveLength(1);
  });

  test.each([
    [
      'an error in JSON',
      '{"error":{"message":"No such model.","type":"invalid_request_error"}}',
      'bad_request 200: No such model.',
      1,
    ],
    ['a passing error in JSON', ' [{"error":{"code":503,"message":"Busy."}}]', 'overloaded 200: Busy.', 4],
    ['JSON', '{"choices":[{"message":{"content":"hi"}}]}', 'answered with JSON and not with a stream of events', 1],
    ['text', 'upstream says hello', 'answered with text and not with a stream of events: upstream says hello', 1],
    ['a short word', 'no', 'answered with text and not with a stream of events: no', 1],
    ['nothing', '', 'answered with an empty body.', 4],
    ['blanks', ' \r\n', 'answered with an empty body.', 4],
  ])('%s in place of a stream is told as such', async (_what, body, words, tries) => {
    const { url, bodies } = await serve(status(200, { 'content-type': 'application/json' }, body));
    expect(await textOf(await post(url))).toContain(words);
    expect(bodies).toHaveLength(tries);
  });

  test.each([': ping\n\n', 'id:1\ndata: x\n\n', 'event: a\ndata: x\n\n', 'retry: 5\n\n', '\n\ndata: x\n\n', '\ufeffdata: x\n\n'])(
    'a stream of events is one however it begins and is split: %j',
    async (text) => {
      const { url } = await serve(async (_request, response) => {
        for (const byte of Buffer.from(text)) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
        response.end();
      });
      expect(await textOf(await post(url))).toBe(text);
    },
  );

  test('an encoding that was not asked for is named', async () => {
    const asked: unknown[] = [];
    const zipped =
      (code: number): RequestListener =>
      (request, response) => {
        asked.push(request.headers['accept-encoding']);
        response.writeHead(code, { 'content-encoding': 'gzip' }).end(gzipSync('data: x\n\n'));
      };
    const { url } = await serve(zipped(200), zipped(400));
    expect(await textOf(await post(url))).toMatch(
      /^protocol 200: .* sent its answer in the encoding "gzip", which was not asked for/,
    );
    expect(await textOf(await post(url))).toMatch(/^bad_request 400: .* in the encoding "gzip"/);
    expect(asked).toEqual(['identity', 'identity']);
  });

  test.each([301, 302, 307, 308])('a redirect with %i is told with its target and not followed', async (code) => {
    const { url, bodies } = await serve(status(code, { location: 'https://other.example/v1/x?key=secret' }));
    expect(await textOf(await post(url))).toMatch(
      new RegExp(
        `^unreachable ${code}: 127.* redirects to https://other\\.example, which is not followed\\. .*base URL to it\\.$`,
      ),
    );
    expect(bodies).toHaveLength(1);
  });

  test.each([
    ['authorization', 'Bearer \u201csk-secret\u201d', 'key_rejected'],
    ['x-api-key', 'sk-sec\nret', 'key_rejected'],
    ['x-team', 'a\r\nb', 'bad_request'],
    ['x team', 'sk-secret', 'bad_request'],
  ])('a header that cannot be sent is told at once, never with its value: %s', async (name, value, kind) => {
    const { url, bodies } = await serve(status(200));
    const waits: unknown[] = [];
    const told = await textOf(await post(url, { headers: { [name]: value }, onRetryWait: (wait) => waits.push(wait) }));
    expect(told).toMatch(new RegExp(`^${kind} null: .*"${name}"`));
    expect(told).not.toContain('sec');
    expect([bodies, waits]).toEqual([[], []]);
  });

  test('a base URL that is none is told at once', async () => {
    await serve(status(200));
    for (const url of ['', 'here', 'ftp://host/v1'])
      expect(await textOf(await post(url))).toMatch(/^bad_request null: The base URL/);
  });

  test('a rest that does not end gives its connection up', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_request, response) => {
      response.on('close', () => closed.resolve());
      response.write('data: x\n\n');
      const fill = (): void => void (response.destroyed || response.write('x'.repeat(262_144), () => setImmediate(fill)));
      setImmediate(fill);
    });
    const answer = await post(url);
    if (answer.ok) for await (const _bytes of answer.body) break;
    await closed.promise;
  });

  test('an account that is used up is not asked again', async () => {
    const { url, bodies } = await serve(status(429, {}, '{"error":{"code":"insufficient_quota","message":"pay first"}}'));
    expect(await textOf(await post(url))).toBe('quota 429: pay first');
    expect(bodies).toHaveLength(1);
  });

  test('gives up after its tries, with the last reason', async () => {
    const { url, bodies } = await serve(status(529));
    expect(await textOf(await post(url))).toBe('overloaded 529: no 529');
    expect(bodies).toHaveLength(4);
  });

  test('heeds what the server says of trying again', async () => {
    const waits: number[] = [];
    const onRetryWait = ({ untilMs }: { untilMs: number }): void => void waits.push(untilMs - Date.now());
    const { url } = await serve(status(429, { 'retry-after-ms': '40' }), status(200, {}, 'data: ok'));
    expect(await textOf(await post(url, { onRetryWait }))).toBe('data: ok');
    expect(waits[0]).toBeGreaterThan(30);
    server.close();
    const patient = await serve(status(429, { 'retry-after': '3600' }));
    expect(await textOf(await post(patient.url))).toBe('rate_limit 429: no 429 The server asks to wait 60 min.');
    expect(patient.bodies).toHaveLength(1);
    server.close();
    const firm = await serve(status(500, { 'x-should-retry': 'false' }));
    expect(await textOf(await post(firm.url))).toBe('server 500: no 500');
    expect(firm.bodies).toHaveLength(1);
  });

  test('tries again where the connection is lost before an answer', async () => {
    const { url, bodies } = await serve((request) => request.socket.destroy(), status(200, {}, 'data: ok'));
    expect(await textOf(await post(url))).toBe('data: ok');
    expect(bodies).toHaveLength(2);
  });

  test('a body that breaks throws, and is not sent again', async () => {
    const { url, bodies } = await serve((_request, response) => {
      response.write('data: half');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(post(url).then(textOf)).rejects.toThrow('aborted');
    expect(bodies).toHaveLength(1);
  });

  test('a server that says nothing is given up', async () => {
    const { url } = await serve(() => undefined);
    expect(await textOf(await post(url, { idleTimeoutMs: 50, retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 } }))).toMatch(
      /^unreachable null: Could not reach 127\.0\.0\.1:\d+: no byte for 0 s\.$/,
    );
  });

  test('nobody there', async () => {
    const { url } = await serve(status(200));
    server.close();
    expect(await textOf(await post(url, { retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 } }))).toMatch(
      /^unreachable null: Could not reach 127\.0\.0\.1:\d+: nothing listens there\.$/,
    );
  });

  test('an abort ends a request and a wait', async () => {
    const stop = new AbortController();
    const { url } = await serve(() => stop.abort());
    expect(await textOf(await post(url, { signal: stop.signal }))).toBe('aborted null: Interrupted.');
    server.close();
    const waiting = new AbortController();
    const busy = await serve(status(429, { 'retry-after-ms': '900' }));
    const answer = await post(busy.url, { signal: waiting.signal, onRetryWait: () => waiting.abort() });
    expect(await textOf(answer)).toBe('aborted null: Interrupted.');
    expect(busy.bodies).toHaveLength(1);
  });
});
