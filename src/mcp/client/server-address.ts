import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerConfig } from './server-config.ts';

/** A server behind an address, and what became of it. */
export interface OpenedAddress {
  readonly transport: StreamableHTTPClientTransport;
  /** Why it is of no more use; null while it is. */
  epitaph(): string | null;
  /** True where the server says that it does not know the session, so that a new one is to begin. */
  isForgotten(): boolean;
}

/** One answer, or one event of a stream of them. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Requests that have no answer yet: our calls, and what we are made to say to a server that asks. */
const MAX_OPEN_REQUESTS = 100;

/** A server behind an address. Redirects are not followed: the headers may hold a key. */
export function openHttp({ url, headers }: Extract<ServerConfig, { type: 'http' }>): OpenedAddress {
  let epitaph: string | null = null;
  let isForgotten = false;
  let openRequests = 0;
  const stop = (fault: string): void => {
    epitaph ??= fault;
    // Whoever waits for an answer is told by this end.
    void transport.close();
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers }, redirect: 'error' },
    fetch: async (address, init) => {
      if (openRequests >= MAX_OPEN_REQUESTS) stop('it asks more than it takes the answers of');
      openRequests++;
      const response = await fetch(address, init).finally(() => openRequests--);
      // Source: MCP 2025-11-25, transports, session management: the client is to begin a new session then.
      if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
        isForgotten = true;
        epitaph ??= 'it no longer knows the session';
      }
      return bounded(response, stop);
    },
  });
  return { transport, epitaph: () => epitaph, isForgotten: () => isForgotten };
}

/** The same answer, which is the last one where it grows beyond all use. A stream of events may last: each of them is counted alone. */
function bounded(response: Response, stop: (fault: string) => void): Response {
  if (response.body === null) return response;
  const measure = response.headers.get('content-type')?.startsWith('text/event-stream') ? eventMeter() : wholeMeter();
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (measure(chunk) <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
      const fault = `it sent more than ${MAX_ANSWER_BYTES / 1024 / 1024} MB in one message`;
      controller.error(new Error(fault));
      stop(fault);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers });
}

type Meter = (chunk: Uint8Array) => number;

function wholeMeter(): Meter {
  let bytes = 0;
  return (chunk) => (bytes += chunk.byteLength);
}

/** An empty line ends an event. Source: WHATWG HTML, server-sent events */
function eventMeter(): Meter {
  let bytes = 0;
  let before = Buffer.alloc(0);
  return (chunk) => {
    const seen = Buffer.concat([before, chunk]);
    const end = Math.max(seen.lastIndexOf('\n\n'), seen.lastIndexOf('\n\r\n'));
    bytes = end < 0 ? bytes + chunk.byteLength : seen.length - end;
    before = seen.subarray(-2);
    return bytes;
  };
}
