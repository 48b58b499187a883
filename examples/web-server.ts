// An agent in a web server: the page streams what happens, and what asks for a permission is answered on it.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import {
  type AgentEvent,
  createAgent,
  createProvider,
  createRegistry,
  type OpenAgent,
  type Place,
  type Provider,
  setupTools,
} from 'wield';

/** A server on loopback. Only who has its address with the key in it gets in. */
export interface AgentPage extends AsyncDisposable {
  readonly url: string;
}

/** Serves one conversation with an agent. A page that goes away in the middle of a run ends the run. */
export async function serveAgent(provider: Provider, place: Place): Promise<AgentPage> {
  const registry = setupTools(createRegistry(), { allowWrite: true });
  const agent = createAgent({ ...place, provider, registry, canAsk: true });
  const key = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    answer(request, response, { agent, key }).catch((thrown: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(`${JSON.stringify({ type: 'error', text: String(thrown) })}\n`);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/?key=${key}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.close();
    },
  };
}

interface Door {
  readonly agent: OpenAgent;
  readonly key: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, { agent, key }: Door): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (url.searchParams.get('key') !== key) return void response.writeHead(403).end('The address of this page has a key in it.');
  if (request.method === 'GET') {
    const page = await readFile(new URL('./web-page.html', import.meta.url));
    return void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' })
      .end(page);
  }
  // What was sent is checked where it is used: a prompt is text, and an id that nobody waits for changes nothing.
  const body = (await json(request)) as { readonly prompt?: string; readonly requestId?: string; readonly isAllowed?: boolean };
  if (body.requestId !== undefined) {
    agent.answer(body.requestId, body.isAllowed === true ? { type: 'allow', scope: 'once' } : { type: 'deny' });
    return void response.writeHead(204).end();
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for await (const event of agent.run(body.prompt ?? '', gone.signal)) {
    const line = lineOf(event);
    if (line !== null) response.write(`${JSON.stringify(line)}\n`);
  }
  response.end();
}

/** What the page is told of an event; null for what it does not show. */
function lineOf(event: AgentEvent): object | null {
  switch (event.type) {
    case 'model':
      return event.event.type === 'text_delta' ? { type: 'text', text: event.event.text } : null;
    case 'tool_start':
      return { type: 'call', text: `${event.name} ${event.subject}` };
    case 'permission_request':
      return { type: 'question', requestId: event.requestId, text: [event.name, ...event.details].join('\n') };
    case 'error':
      return { type: 'error', text: `${event.error.message} ${event.error.remedy}` };
    case 'run_end':
      return { type: 'end', text: event.outcome };
    default:
      return null;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
}

if (import.meta.main) {
  const page = await serveAgent(await createProvider(process.argv[2] ?? 'demo'), { cwd: process.cwd() });
  console.log(`Open ${page.url}`);
}
