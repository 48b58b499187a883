import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { discoverServers, type LocalPlace, mayListen } from './discover.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function place(vendor: string, answer: RequestListener, lists: LocalPlace['lists'] = 'openai'): Promise<LocalPlace> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { vendor, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, lists };
}

const json =
  (value: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

/** The default patience would make these tests depend on how busy the machine is. */
const patient = (): AbortSignal => new AbortController().signal;

test('Ollama is asked for what is installed and the others for what they serve, without a key', async () => {
  const asked = new Map<string, unknown[]>();
  const note =
    (answer: RequestListener): RequestListener =>
    (request, response) => {
      const { authorization, 'x-api-key': key, 'api-key': azure, cookie } = request.headers;
      asked.set(`${request.method} ${request.url}`, [authorization, key, azure, cookie]);
      answer(request, response);
    };
  const ollama = await place('ollama', note(json({ models: [{ name: 'llama3:8b' }, { name: 'qwen3:4b' }] })), 'ollama');
  const vllm = await place('vllm', note(json({ object: 'list', data: [{ id: 'org/model' }] })));
  expect(await discoverServers([ollama, vllm], patient())).toEqual([
    { vendor: 'ollama', baseUrl: ollama.baseUrl, models: ['llama3:8b', 'qwen3:4b'] },
    { vendor: 'vllm', baseUrl: vllm.baseUrl, models: ['org/model'] },
  ]);
  const nothing = [undefined, undefined, undefined, undefined];
  expect(asked).toEqual(
    new Map([
      ['GET /api/tags', nothing],
      ['GET /v1/models', nothing],
    ]),
  );
});

test('a server that hangs and one that is slow are left out, and hold up nobody', async () => {
  const stop = new AbortController();
  const waiting = Promise.withResolvers<void>();
  let open = 2;
  const hang: RequestListener = () => {
    if (--open === 0) waiting.resolve();
  };
  const slow: RequestListener = (_request, response) => {
    response.writeHead(200).write('{"data":[');
    if (--open === 0) waiting.resolve();
  };
  const good = await place('lmstudio', json({ data: [{ id: 'm' }] }));
  const looking = discoverServers([await place('hung', hang), await place('slow', slow), good], stop.signal);
  const answered = discoverServers([good], patient());
  expect(await answered).toHaveLength(1);
  await waiting.promise;
  // The one that answered is known by now; what is open ends with the signal.
  await discoverServers([good], patient());
  stop.abort();
  expect((await looking).map(({ vendor }) => vendor)).toEqual(['lmstudio']);
});

test('the look around ends by itself', async () => {
  expect(await discoverServers([await place('hung', () => undefined)])).toEqual([]);
});

test.each<[string, RequestListener]>([
  ['a page', (_request, response) => void response.end('<html>hello</html>')],
  ['JSON of something else', json({ status: 'ok' })],
  ['a list that is none', json({ data: { id: 'm' } })],
  ['null', json(null)],
  ['an error', (_request, response) => void response.writeHead(401).end('{"data":[]}')],
  ['a way elsewhere', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a lost connection', (request) => void request.socket.destroy()],
  ['no HTTP', (request) => void request.socket.end('SSH-2.0-x\r\n')],
  ['half a list', (_request, response) => void response.writeHead(200, { 'content-length': '99' }).end('{"data":[')],
])('what answers %s is no model server', async (_what, answer) => {
  expect(await discoverServers([await place('odd', answer)], patient())).toEqual([]);
});

test('an answer without end is given up', async () => {
  let pieces = 0;
  const endless: RequestListener = (_request, response) => {
    const more = (): void => {
      pieces++;
      if (!response.destroyed && pieces < 2000) response.write('x'.repeat(65_536), more);
    };
    more();
  };
  expect(await discoverServers([await place('endless', endless)], patient())).toEqual([]);
  expect(pieces).toBeLessThan(2000);
});

test('entries without a name, and names that are too long, are left out', async () => {
  const odd = await place('vllm', json({ data: [{ id: 'a' }, { id: 7 }, null, 'b', { id: 'x'.repeat(201) }] }));
  expect((await discoverServers([odd], patient()))[0]?.models).toEqual(['a']);
});

test('only this machine is asked', async () => {
  const elsewhere = [
    'https://127.0.0.1/v1',
    'http://example.com/v1',
    'http://127.0.0.1.example.com/v1',
    'http://k:v@127.0.0.1/v1',
    '',
  ];
  const places = elsewhere.map((baseUrl) => ({ vendor: 'x', baseUrl, lists: 'openai' as const }));
  expect(await discoverServers(places, patient())).toEqual([]);
  expect(await Promise.all(places.map((one) => mayListen(one)))).toEqual(places.map(() => true));
});

test('nothing listens only where the connection is refused', async () => {
  const here = await place('x', () => undefined);
  const stop = new AbortController();
  const waiting = mayListen(here, stop.signal);
  stop.abort();
  expect(await waiting).toBe(true);
  const odd = await place('x', (request) => void request.socket.destroy());
  expect(await mayListen(odd, patient())).toBe(true);
  const gone = await place('x', () => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(await mayListen(gone, patient())).toBe(false);
});
