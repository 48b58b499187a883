import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerConfig } from './server-config.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** A server behind an address. Redirects are not followed: the headers may hold a key. */
export function openHttp({ url, headers }: Extract<ServerConfig, { type: 'http' }>): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers }, redirect: 'error' },
    fetch: async (address, init) => bounded(await fetch(address, init)),
  });
}

/** The same answer, whose body fails where it grows beyond all use. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error(`it sent more than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers });
}
