import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { AgentError } from '../../core/errors.ts';
import { succeed } from '../../core/tool-result.ts';
import type { ServedTools } from './served-tools.ts';
import { serveOverHttp } from './serve-http.ts';

const TOKEN = 'a-token';
const IDENTITY = { version: '1', instructions: '' };
const NO_TOOLS: ServedTools = { list: () => [], call: async () => ({ type: 'result', result: succeed('') }) };

test('a client that comes later makes room of one that is idle, never of one whose call runs', async () => {
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const tools: ServedTools = {
    list: () => [],
    call: async ({ signal }) => {
      begun.resolve();
      await finish.promise;
      return { type: 'result', result: succeed(signal.aborted ? 'it was cut off' : 'whole') };
    },
  };
  const address = Promise.withResolvers<string>();
  const service = { port: 0, token: TOKEN, signal: stop.signal, onOpen: address.resolve, onFault: () => undefined };
  const served = serveOverHttp(tools, IDENTITY, service);
  const url = new URL(await address.promise);
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'c', version: '1' }, { capabilities: {}, versionNegotiation: { mode: 'legacy' } });
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  };
  const first = await connect();
  const running = first.callTool({ name: 'x', arguments: {} });
  await begun.promise;
  const second = await connect();
  for (let i = 0; i < 32; i++) await connect();
  await expect(second.listTools()).rejects.toThrow();
  finish.resolve();
  expect((await running).content).toEqual([{ type: 'text', text: 'whole' }]);
  stop.abort();
  await served;
});

test('a port that there is not is a fault of the one who asked for it', async () => {
  const service = {
    port: 99_999,
    token: TOKEN,
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onFault: () => undefined,
  };
  await expect(serveOverHttp(NO_TOOLS, IDENTITY, service)).rejects.toBeInstanceOf(AgentError);
});
