import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import type { ServedTools } from '../mcp/server/served-tools.ts';
import { serveOverStdio } from '../mcp/server/serve-stdio.ts';
import { createToolServers } from '../mcp/server/tool-server.ts';
import type { Toolbox } from '../sdk/create-toolbox.ts';

/** How a server presents itself. */
export interface MCPIdentity {
  /** Default `wield`. */
  readonly name?: string;
  /** Default 0.0.0. */
  readonly version?: string;
  /** For the model that uses the tools. Default: none. */
  readonly instructions?: string;
}

/** Whom a server serves, and how it presents itself. */
export interface MCPConnection extends MCPIdentity {
  readonly input: Readable;
  /** Nothing but the protocol is written to it. */
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Told of what is wrong with what comes in. */
  onFault?(text: string): void;
}

/**
 * A server of the Model Context Protocol with the tools of a toolbox, to be connected to a transport of one's own. What asks is asked by
 * the toolbox. Needs the package @modelcontextprotocol/server beside wield.
 */
export function createMCPServer(toolbox: Toolbox, identity: MCPIdentity = {}): Server {
  return createToolServers(servedTools(toolbox), whole(identity))();
}

/** Serves one client on two streams, such as stdin and stdout, and resolves when it has gone or the signal is aborted. */
export async function serveMCP(toolbox: Toolbox, connection: MCPConnection): Promise<void> {
  const { input, output, signal, onFault = () => undefined } = connection;
  await serveOverStdio(servedTools(toolbox), whole(connection), { input, output, signal, onFault: (text) => onFault(text) });
}

function servedTools(toolbox: Toolbox): ServedTools {
  return {
    list: () => toolbox.toAPIFormat('mcp'),
    call: async ({ name, input, signal }) => ({ type: 'result', result: await toolbox.call(name, input, signal) }),
  };
}

function whole({ name = 'wield', version = '0.0.0', instructions = '' }: MCPIdentity): Required<MCPIdentity> {
  return { name, version, instructions };
}
