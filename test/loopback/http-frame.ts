import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a server on loopback got it. */
export interface LoopbackRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A server on loopback that takes JSON bodies. */
export async function startLoopback(
  answer: (request: LoopbackRequest, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      await answer({ path: request.url ?? '', headers: request.headers, body }, response);
    };
    void take().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with an error in JSON. */
export function sendError(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
}

export interface EventStream {
  /** The data of each event. */
  readonly events: readonly string[];
  /** Ends the connection after so many events. */
  readonly dropAfter?: number | undefined;
  /** Waits for this before the last event. */
  readonly holdUntil?: Promise<void> | undefined;
}

/** Answers with server-sent events. */
export async function sendEvents(response: ServerResponse, { events, dropAfter, holdUntil }: EventStream): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [i, data] of events.entries()) {
    if (i === dropAfter) {
      // What was written reaches the client first.
      await new Promise((resolve) => response.write(': the end\n\n', resolve));
      response.socket?.end();
      return;
    }
    if (i === events.length - 1) await holdUntil;
    response.write(`data: ${data}\n\n`);
  }
  response.end();
}
