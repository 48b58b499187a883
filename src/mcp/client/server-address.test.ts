import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOfStream } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { textOf } from '../../core/message.ts';
import type { ToolContext } from '../../core/tool.ts';
import { readServerConfigs } from './server-config.ts';
import { ServerConnection } from './server-connection.ts';

interface Incoming {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

type Respond = (message: Incoming, request: IncomingMessage, response: ServerResponse) => void;

const SECRET = 'Tr0ub4dor/&3';
const opened: { readonly http: Server; readonly connection: ServerConnection }[] = [];
afterEach(async () => {
  for (const { http, connection } of opened.splice(0)) {
    await connection.close();
    http.closeAllConnections();
    http.close();
  }
});

/** A server of an earlier revision behind an address, which leaves calls to `respond`. */
async function connect(respond: Respond, path = '/mcp'): Promise<ServerConnection> {
  const http = createServer((request, response) => void serve(request, response, respond));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const entry = { url: `http://127.0.0.1:${port}${path}`, headers: { Authorization: 'Bearer ${LAB_TOKEN}' } };
  const [config] = readServerConfigs({ mcpServers: { lab: entry } }, { LAB_TOKEN: SECRET }).servers;
  if (config === undefined) throw new Error('no such server');
  const connection = new ServerConnection(config, { cwd: '/', env: {}, version: '1' }, () => undefined);
  opened.push({ http, connection });
  return connection;
}

async function serve(request: IncomingMessage, response: ServerResponse, respond: Respond): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = JSON.parse(await textOfStream(request)) as Incoming;
  if (message.method === 'initialize') {
    response.setHeader('mcp-session-id', 'first');
    const protocolVersion = message.params?.protocolVersion;
    return answer(message, response, { protocolVersion, capabilities: {}, serverInfo: { name: 'lab', version: '1' } });
  }
  if (message.id === undefined) return void response.writeHead(202).end();
  if (message.method === 'tools/call') return respond(message, request, response);
  response.writeHead(400).end();
}

function answer({ id }: Incoming, response: ServerResponse, result: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

async function callOf(connection: ServerConnection): Promise<string> {
  const context = { signal: new AbortController().signal, progress: () => undefined } as unknown as ToolContext;
  return textOf((await connection.call('x', {}, context)).content);
}

test('a server that has forgotten the session is asked again in a new one, as often as it forgets', async () => {
  let calls = 0;
  const connection = await connect((message, _request, response) => {
    calls++;
    if (calls % 2 === 0) return void response.writeHead(404).end();
    answer(message, response, { content: [{ type: 'text', text: `call ${calls}` }] });
  });
  const heard: string[] = [];
  for (let i = 0; i < 6; i++) heard.push(await callOf(connection));
  expect(heard).toEqual(['call 1', 'call 3', 'call 5', 'call 7', 'call 9', 'call 11']);
});

test('an event that grows beyond all use ends the connection at once, and a long stream of small ones does not', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  let isGood = true;
  const connection = await connect((message, _request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    if (isGood) {
      for (let i = 0; i < 17; i++) response.write(`: ${piece}\n\n`);
      const result = { content: [{ type: 'text', text: 'late' }] };
      return void response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
    }
    response.write('data: ');
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more);
    };
    more();
  });
  expect(await callOf(connection)).toBe('late');
  isGood = false;
  expect(await callOf(connection)).toContain('it sent more than 16 MB in one message');
});

test('what was filled in is in no error, however the server or the system repeats it', async () => {
  const echo: Respond = (_message, { headers }, response) =>
    void response.writeHead(500).end(`${headers.authorization} ${encodeURIComponent(SECRET)} ${SECRET.toUpperCase()}`);
  const text = await callOf(await connect(echo));
  expect(text).toContain('[the header Authorization] ${LAB_TOKEN} ${LAB_TOKEN}');
  const endless = await connect((_message, _request, response) => void response.writeHead(500).end('long '.repeat(20_000)));
  expect((await callOf(endless)).length).toBeLessThan(2200);
});
