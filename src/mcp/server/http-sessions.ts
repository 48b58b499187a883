import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

const MAX_SESSIONS = 32;

/** Connections over HTTP as revisions before 2026-07-28 have them: a client names its session with each request. */
export class HttpSessions {
  readonly #createServer: () => Server;
  readonly #report: (fault: Error) => void;
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(createServer: () => Server, report: (fault: Error) => void) {
    this.#createServer = createServer;
    this.#report = report;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = this.#transports.get(id ?? '');
    // The client is to begin anew then. Source: MCP 2025-11-25, transports, session management
    if (known === undefined && id !== null) return new Response(null, { status: 404 });
    return (known ?? (await this.#open())).handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }

  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#keep(id, transport),
    });
    const server = this.#createServer();
    server.onerror = this.#report;
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId);
    };
    await server.connect(transport);
    return transport;
  }

  /** Clients often leave without a word; the one that came first makes room. */
  async #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    this.#transports.set(id, transport);
    const [oldest] = this.#transports.values();
    if (this.#transports.size > MAX_SESSIONS) await oldest?.close();
  }
}
