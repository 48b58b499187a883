import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeMcpRequestHandler,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { AgentError, messageOf, systemCodeOf } from '../../core/errors.ts';
import { bearerCheck } from './bearer-check.ts';
import { HttpSessions } from './http-sessions.ts';
import type { ServedTools, ServerIdentity } from './served-tools.ts';
import { createToolServers } from './tool-server.ts';

export interface HttpService {
  /** 0 lets the system choose one. */
  readonly port: number;
  /** What a client must show with each request. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Told the address when it is open. */
  onOpen(url: string): void;
  onFault(text: string): void;
}

const PATH = '/mcp';
const MAX_PORT = 65_535;

/**
 * Serves clients on this machine until the signal is aborted: on loopback alone, and only those that show the token. Names of the host
 * and of web pages are checked too, since a page in a browser can have any name lead to this machine.
 * Errors: AgentError `misuse` where the port cannot be opened.
 */
export async function serveOverHttp(tools: ServedTools, identity: ServerIdentity, service: HttpService): Promise<void> {
  const { port, token, signal, onOpen, onFault } = service;
  const newServer = createToolServers(tools, identity);
  const onerror = ({ message }: Error): void => onFault(message);
  const current = createMcpHandler(newServer, { legacy: 'reject', onerror });
  const earlier = new HttpSessions(newServer, onerror);
  const route = async (request: Request): Promise<Response> =>
    ((await isLegacyRequest(request)) ? earlier : current).fetch(request);
  const handle = toNodeHandler({ fetch: route }, { onerror });
  const isWelcome = welcome(token);
  const http = createServer((request, response) => {
    if (isWelcome(request, response)) void handle(asLike(request), response);
  });
  onOpen(`http://127.0.0.1:${await listen(http, port)}${PATH}`);
  await aborted(signal);
  await Promise.all([current.close(), earlier.close()]);
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}

/** A request of a server has a method and a URL. Source: node:http, IncomingMessage */
function asLike(request: IncomingMessage): Parameters<NodeMcpRequestHandler>[0] {
  return request as Parameters<NodeMcpRequestHandler>[0];
}

/** Answers what may not come in, and says whether a request may. */
function welcome(token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  const hasToken = bearerCheck(token);
  return (request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return false;
    const isTokenShown = hasToken(request.headers.authorization);
    if (isTokenShown && request.url?.split('?', 1)[0] === PATH) return true;
    response.writeHead(isTokenShown ? 404 : 401, isTokenShown ? {} : { 'WWW-Authenticate': 'Bearer' }).end();
    return false;
  };
}

function listen(http: HttpServer, port: number): Promise<number> {
  // Node throws there and then for these, and not as the fault of a port.
  if (port > MAX_PORT)
    throw new AgentError({
      code: 'misuse',
      message: `There is no port ${port}.`,
      remedy: `Give one up to ${MAX_PORT}, or 0 for any.`,
    });
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => {
      const isTaken = systemCodeOf(cause) === 'EADDRINUSE';
      const message = isTaken ? `Port ${port} is taken.` : `Port ${port} cannot be opened: ${messageOf(cause)}.`;
      reject(new AgentError({ code: 'misuse', message, remedy: 'Give another port, or 0 for any.' }, { cause }));
    });
    // An address on a port is an object. Source: node:net, server.address()
    http.listen({ host: '127.0.0.1', port }, () => resolve((http.address() as AddressInfo).port));
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
