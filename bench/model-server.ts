import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicFaults, type WireRequest } from '../src/providers/anthropic/check.ts';
import { callFor, type OfferedTool } from './client-tools.ts';
import { responseText } from './response-text.ts';
import type { Step } from './scenarios.ts';

/** One request and its response. Times are of `performance.now()` in this process. */
export interface Exchange {
  /** The headers were here. */
  readonly arrivedMs: number;
  /** The whole body was here. */
  readonly receivedMs: number;
  /** The response was about to be handed to the socket. Not after it: on a busy machine the client may be running by then. */
  readonly answeredMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface ModelServer {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** How many a client has opened so far. On a real wire each costs a handshake. */
  readonly connections: number;
  /** What a real server would have refused, and what the tools should have answered and did not. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A model on loopback that asks for one step a turn, whatever it is told, and then says that all is done. */
export async function startModelServer(steps: readonly Step[], folder: string): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const faults: string[] = [];
  let connections = 0;
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const arrivedMs = performance.now();
    const body = await readBody(incoming);
    const receivedMs = performance.now();
    const turn = exchanges.length;
    const request = JSON.parse(body.toString('utf8')) as WireRequest & { readonly tools: readonly OfferedTool[] };
    faults.push(...anthropicFaults(request), ...resultFaults(request, steps[turn - 1]));
    const step = steps[turn];
    const response = responseText(turn, step === undefined ? null : callFor(step, request.tools, folder));
    const responseBytes = Buffer.byteLength(response);
    exchanges.push({ arrivedMs, receivedMs, answeredMs: performance.now(), requestBytes: body.length, responseBytes });
    // With a length the bytes leave in end() itself and not a tick later.
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': responseBytes }).end(response);
  }
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch((thrown: unknown) => {
      faults.push(String(thrown));
      outgoing.destroy();
    });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    faults,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A client that is quick because its tool failed is not quick. */
function resultFaults({ messages }: WireRequest, step: Step | undefined): string[] {
  if (step === undefined) return [];
  const result = messages.at(-1)?.content.at(-1);
  const text = JSON.stringify(result?.content ?? null);
  const isWrong = result?.is_error === true || (step.act !== 'edit' && !text.includes(step.shows));
  return isWrong ? [`${step.act} was answered with ${text.slice(0, 300)}`] : [];
}
