import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { ServedTools, ServerIdentity } from './served-tools.ts';
import { createToolServers } from './tool-server.ts';
import { WholeLines } from './whole-lines.ts';

/** A file that a client writes may come whole in one message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface StdioConnection {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Told of what is wrong with what comes in. */
  onFault(text: string): void;
}

/** Serves one client and resolves when it has gone or the signal is aborted. Nothing but the protocol is written to `output`. */
export async function serveOverStdio(tools: ServedTools, identity: ServerIdentity, connection: StdioConnection): Promise<void> {
  const { input, output, signal, onFault } = connection;
  const lines = new WholeLines(MAX_MESSAGE_BYTES);
  input.once('error', (fault) => lines.destroy(fault)).pipe(lines);
  const transport = new ClosableTransport(lines, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(createToolServers(tools, identity), { transport, onerror: ({ message }) => onFault(message) });
  const end = (): void => void transport.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await transport.closed;
  signal.removeEventListener('abort', end);
  input.unpipe(lines).pause();
  await handle.close();
}

/** Tells when it is closed, by whichever side: the end of the input, an output that nobody reads, a message that is too large. */
class ClosableTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}
