import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createWebAccess, type WebAccessOptions } from './web-access.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

const seen: string[] = [];
const never = new AbortController().signal;
const isLoopback = (address: string): boolean => address === '127.0.0.1';
/** As if each host had a name of its own. */
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

/** A server on loopback; gives what stands behind the host in its address. */
async function serve(routes: Readonly<Record<string, Answer>>): Promise<string> {
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    const route = routes[request.url ?? ''];
    if (route === undefined) response.writeHead(404).end('no such page');
    else route(response, request);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `:${(server.address() as AddressInfo).port}`;
}

/** Loopback is allowed to tests alone. */
const fetchHere = (url: string, options: WebAccessOptions = {}, signal = never) =>
  createWebAccess({ isAllowed: isLoopback, resolve: toLoopback, ...options }).fetch(url, signal);

const send =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...(type === '' ? {} : { 'content-type': type }), ...headers }).end(body);
const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();

describe('what is private', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '127.1', '0x7f000001', '2130706433', '017700000001', '[::ffff:127.0.0.1]', '0'])(
    'is not asked as %s',
    async (host) => {
      const port = await serve({ '/': send('text/plain', 'secret') });
      const outcome = await createWebAccess().fetch(`http://${host}${port}/`, never);
      expect(outcome).toMatchObject({ type: 'private' });
      expect(seen).toEqual([]);
    },
  );

  test('is not asked where a public name leads there, nor where one of its addresses does', async () => {
    const port = await serve({ '/': send('text/plain', 'secret') });
    const isAllowed = (address: string): boolean => address === '1.1.1.1';
    const resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await fetchHere(`http://name.test${port}/`, { isAllowed, resolve })).toEqual({
      type: 'private',
      host: `name.test${port}`,
      address: '127.0.0.1',
    });
    expect(seen).toEqual([]);
  });

  test('is not asked where a name turns to it between the check and the connection: the name is asked for once', async () => {
    const port = await serve({ '/': send('text/plain', 'hello') });
    let asked = 0;
    // The second answer would lead elsewhere.
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    expect(await fetchHere(`http://name.test${port}/`, { resolve })).toMatchObject({ type: 'page', text: 'hello' });
    expect(asked).toBe(1);
  });

  test('is not asked where a redirect of the same host leads there', async () => {
    const port = await serve({ '/': redirect('/inner'), '/inner': send('text/plain', 'secret') });
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    expect(await fetchHere(`http://name.test${port}/`, { resolve })).toMatchObject({ type: 'private', address: '10.0.0.1' });
    expect(seen).toEqual(['name.test/']);
  });
});

describe('a redirect', () => {
  test('of the same host is followed', async () => {
    const port = await serve({ '/a': redirect('b?c=1'), '/b?c=1': send('text/plain', 'there') });
    expect(await fetchHere(`http://one.test${port}/a`)).toMatchObject({
      type: 'page',
      url: `http://one.test${port}/b?c=1`,
      text: 'there',
    });
  });

  test.each(['http://two.test/x', '//two.test/x', 'http://user:pw@two.test/x'])(
    'to another host is told: %s',
    async (location) => {
      const port = await serve({ '/': redirect(location) });
      expect(await fetchHere(`http://one.test${port}/`)).toEqual({ type: 'moved', url: 'http://two.test/x' });
      expect(seen).toEqual(['one.test/']);
    },
  );

  test('to what is no page of the web is told', async () => {
    const port = await serve({ '/': redirect('file:///etc/passwd') });
    expect(await fetchHere(`http://one.test${port}/`)).toEqual({ type: 'moved', url: 'file:///etc/passwd' });
  });

  test('without an end is given up', async () => {
    const port = await serve({ '/': redirect('/') });
    expect(await fetchHere(`http://one.test${port}/`)).toMatchObject({
      type: 'unreachable',
      detail: expect.stringContaining('5 times'),
    });
    expect(seen).toHaveLength(6);
  });
});

describe('a body', () => {
  test('is unpacked', async () => {
    const port = await serve({
      '/gzip': send('text/plain', gzipSync('packed'), { 'content-encoding': 'gzip' }),
      '/br': send('text/plain', brotliCompressSync('packed'), { 'content-encoding': 'br' }),
    });
    for (const path of ['/gzip', '/br'])
      expect(await fetchHere(`http://one.test${port}${path}`)).toMatchObject({ type: 'page', text: 'packed', isCut: false });
  });

  test('is cut at its limit, also where it grows as it is unpacked or never ends', async () => {
    const port = await serve({
      '/bomb': send('text/plain', gzipSync(Buffer.alloc(50_000_000, 'a')), { 'content-encoding': 'gzip' }),
      '/endless': (response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = (): void => {
          while (!response.destroyed && response.write('b'.repeat(1000)));
        };
        response.on('drain', more);
        more();
      },
    });
    for (const path of ['/bomb', '/endless']) {
      const outcome = await fetchHere(`http://one.test${port}${path}`, { maxBytes: 10_000 });
      expect(outcome).toMatchObject({ type: 'page', isCut: true });
      expect(outcome.type === 'page' ? outcome.text.length : 0).toBe(10_000);
    }
  });

  test('that comes too slowly is given up', async () => {
    const port = await serve({ '/': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('a') });
    expect(await fetchHere(`http://one.test${port}/`, { timeoutMs: 200 })).toEqual({
      type: 'too_slow',
      host: `one.test${port}`,
      timeoutMs: 200,
    });
  });

  test('is read in its own encoding', async () => {
    const port = await serve({
      '/header': send('text/plain; charset=windows-1252', Buffer.from([0xe9])),
      '/meta': send('text/html', Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from([0x93, 0xfa])])),
      '/bom': send('text/plain', Buffer.from('\ufeffé', 'utf16le')),
      '/wrong': send('text/plain; charset=nonsense', 'é'),
    });
    const texts: string[] = [];
    for (const path of ['/header', '/meta', '/bom', '/wrong']) {
      const outcome = await fetchHere(`http://one.test${port}${path}`);
      texts.push(outcome.type === 'page' ? outcome.text : outcome.type);
    }
    expect(texts).toEqual(['é', '日', 'é', 'é']);
  });

  test('that is no text is not read', async () => {
    const port = await serve({
      '/pdf': send('application/pdf', '%PDF-1.7'),
      '/nameless': send('', Buffer.from([1, 0, 2])),
      '/liar': send('text/plain', Buffer.from([1, 0, 2])),
    });
    const types: string[] = [];
    for (const path of ['/pdf', '/nameless', '/liar']) types.push((await fetchHere(`http://one.test${port}${path}`)).type);
    expect(types).toEqual(['not_text', 'not_text', 'not_text']);
  });
});

test('an abort throws, and what fails is said in words', async () => {
  const port = await serve({ '/': () => undefined });
  const abort = new AbortController();
  const fetched = fetchHere(`http://one.test${port}/`, {}, abort.signal);
  abort.abort();
  await expect(fetched).rejects.toThrow();
  expect(await fetchHere('http://one.test:1/')).toEqual({
    type: 'unreachable',
    host: 'one.test:1',
    detail: 'nothing listens there',
  });
  const noHost = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  expect(await fetchHere('http://no.test/', { resolve: noHost })).toMatchObject({ detail: 'there is no such host' });
  expect(await fetchHere(`https://one.test${port}/`)).toMatchObject({ type: 'unreachable' });
});

test('a request carries no cookie, and says who asks', async () => {
  const headers: IncomingMessage['headers'][] = [];
  const port = await serve({
    '/': (response, request) => {
      headers.push(request.headers);
      send('text/plain', 'a')(response, request);
    },
  });
  await fetchHere(`http://one.test${port}/`);
  expect(headers[0]).toMatchObject({ 'user-agent': 'wield (WebFetch)' });
  expect(Object.keys(headers[0] ?? {})).toEqual(expect.not.arrayContaining(['cookie', 'authorization', 'referer']));
});
