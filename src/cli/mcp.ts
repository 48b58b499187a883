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

/**
 * `wield mcp approve [SERVER [DIGEST]]`: shows the whole of what servers have come to offer since they were first seen, each with a digest,
 * and takes of one what its digest names: exactly what was shown.
 */
export async function approveMcp(
  server: string | undefined,
  digest: string | undefined,
  { cwd }: { readonly cwd?: string },
): Promise<number> {
  const folder = realFolder(cwd ?? workingFolder());
  const folders = userFolders(process.env);
  if (server !== undefined && digest !== undefined) {
    const { lines } = await approveServer({ server, digest }, folder, folders);
    await writeOut(`${['Approved:', ...lines].join('\n')}\n`);
    return 0;
  }
  const waiting = [...(await waitingServers(folder, folders))].filter(([name]) => server === undefined || name === server);
  const shown = waiting.map(([name, offer]) =>
    [`${name}:`, ...offer.lines, `To take this and nothing else: wield mcp approve ${name} ${offer.digest}`].join('\n'),
  );
  await writeOut(`${shown.join('\n\n') || 'Nothing waits for approval.'}\n`);
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
