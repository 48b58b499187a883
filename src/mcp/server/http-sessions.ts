import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

const MAX_SESSIONS = 32;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Calls that run. */
  calls: number;
}

/** Connections over HTTP as revisions before 2026-07-28 have them: a client names its session with each request. */
export class HttpSessions {
  readonly #createServer: () => Server;
  readonly #report: (fault: Error) => void;
  /** The one that was used last comes last. */
  readonly #sessions = new Map<string, Session>();

  constructor(createServer: () => Server, report: (fault: Error) => void) {
    this.#createServer = createServer;
    this.#report = report;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request);
    const known = this.#sessions.get(id);
    // The client is to begin anew then. Source: MCP 2025-11-25, transports, session management
    if (known === undefined) return new Response(null, { status: 404 });
    this.#sessions.delete(id);
    this.#sessions.set(id, known);
    return this.#counted(known, request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  /** Clients often leave without a word; the one that has said nothing for longest makes room, unless a call of it runs. */
  async #begin(request: Request): Promise<Response> {
    if (this.#sessions.size >= MAX_SESSIONS) {
      const idle = [...this.#sessions.values()].find(({ calls }) => calls === 0);
      if (idle === undefined) return new Response(`${MAX_SESSIONS} clients are at work`, { status: 503 });
      await idle.transport.close();
    }
    return (await this.#open()).handleRequest(request);
  }

  /** Only a POST is a call; a client may listen with a GET for as long as it is there. */
  async #counted(session: Session, request: Request): Promise<Response> {
    if (request.method !== 'POST') return session.transport.handleRequest(request);
    session.calls++;
    const end = once(() => session.calls--);
    try {
      const response = await session.transport.handleRequest(request);
      if (response.body === null) end();
      return response.body === null ? response : new Response(untilEnd(response.body, end), response);
    } catch (thrown) {
      end();
      throw thrown;
    }
  }

  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, calls: 0 }),
    });
    const server = this.#createServer();
    server.onerror = this.#report;
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return transport;
  }
}

/** The same bytes, and a word when they have ended, in whatever way. */
function untilEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (thrown) {
        onEnd();
        controller.error(thrown);
      }
    },
    cancel: async (reason) => {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (!hasRun) run();
    hasRun = true;
  };
}
