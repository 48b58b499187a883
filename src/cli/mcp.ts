import { randomBytes } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import { realFolder } from '../app/real-folder.ts';
import { approveServer, waitingServers } from '../app/mcp/mcp-servers.ts';
import { composeMcpSession, type McpSession } from '../app/mcp/mcp-session.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayText } from '../core/display-text.ts';
import type { PermissionMode, SandboxMode } from '../core/permission.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import { interruptible } from './interrupt.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

/** The flags of `wield mcp serve`. */
export interface McpServeFlags {
  readonly permissionMode?: PermissionMode;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly addDir?: readonly string[];
  readonly trust?: boolean;
  readonly sandbox?: SandboxMode;
  readonly requireSandbox?: boolean;
  readonly acceptUnsandboxed?: boolean;
  readonly cwd?: string;
  /** A port on loopback instead of stdin and stdout. */
  readonly http?: number;
}

/** `wield mcp approve [SERVER]`: shows what servers have come to offer since they were first seen, or takes it of one of them. */
export async function approveMcp(server: string | undefined, { cwd }: { readonly cwd?: string }): Promise<number> {
  const folder = realFolder(cwd ?? workingFolder());
  const folders = userFolders(process.env);
  const lines =
    server === undefined
      ? [...(await waitingServers(folder, folders))].flatMap(([name, changes]) => [`${name}:`, ...changes])
      : ['Approved:', ...(await approveServer(server, folder, folders))];
  await writeOut(`${lines.join('\n') || 'Nothing waits for approval.'}\n`);
  return 0;
}

/** `wield mcp serve`: the tools for a client on stdin and stdout, until it goes. Stdout carries the protocol and nothing else. */
export async function serveMcp(flags: McpServeFlags): Promise<number> {
  const session = await composeMcpSession({
    cwd: flags.cwd ?? workingFolder(),
    environment: process.env,
    permissionMode: flags.permissionMode ?? null,
    allowedTools: (flags.allowedTools ?? []).flatMap(splitRules),
    disallowedTools: (flags.disallowedTools ?? []).flatMap(splitRules),
    addDirs: flags.addDir ?? [],
    trust: flags.trust ?? false,
    sandbox: flags.sandbox ?? null,
    requireSandbox: flags.requireSandbox ?? false,
    acceptUnsandboxed: flags.acceptUnsandboxed ?? false,
    notify: say,
  });
  for (const notice of session.notices) say(notice);
  if (process.stdin.isTTY && flags.http === undefined)
    say('Waiting for an MCP client on stdin; see docs/mcp.md for how to set one up. Ctrl-D ends.');
  const { value } = await interruptible((signal) => serve(session, flags, signal));
  await session.close();
  return value ?? 0;
}

async function serve({ tools, instructions }: McpSession, { http }: McpServeFlags, signal: AbortSignal): Promise<void> {
  const identity = { version: manifest.version, instructions };
  if (http === undefined) {
    const { serveOverStdio } = await import('../mcp/server/serve-stdio.ts');
    return serveOverStdio(tools, identity, { input: process.stdin, output: process.stdout, signal, onFault: say });
  }
  const { serveOverHttp } = await import('../mcp/server/serve-http.ts');
  const token = randomBytes(24).toString('base64url');
  const onOpen = (url: string): void => say(`Serving ${url}\nAuthorization: Bearer ${token}`);
  return serveOverHttp(tools, identity, { port: http, token, signal, onOpen, onFault: say });
}

function say(text: string): void {
  process.stderr.write(`${displayText(text)}\n`);
}
