import { join } from 'node:path';
import { displayLine } from '../../core/display-text.ts';
import { AgentError, messageOf } from '../../core/errors.ts';
import { shortHash } from '../../core/hash.ts';
import type { HookRun } from '../../core/ports.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import { commandEnvironment } from '../../host/process/command-environment.ts';
import type { ServerConfig } from '../../mcp/client/server-config.ts';
import type { ServerTools } from '../../mcp/client/server-tools.ts';
import type { ListedTool } from '../../mcp/client/server-tool.ts';
import type { Offer } from '../../mcp/client/tool-changes.ts';
import type { Admission, ToolPins } from '../../mcp/client/tool-pins.ts';
import { foldersDownTo, trustRoot } from '../../permissions/trust/trust.ts';
import { readConfigFile } from '../read-config-file.ts';
import type { UserFolders } from '../user-folders.ts';

/** The MCP servers of a session. */
export interface McpServers {
  /** What a person should know at the start, a line each. */
  readonly notices: readonly string[];
  /** What each is at, a line each; null where there are none. */
  readonly lines: (() => Promise<readonly string[]>) | null;
  /** Waits a moment for servers that still start, and tells what is not there. */
  beforeRun(run: HookRun): Promise<void>;
  /** Ends all of them, with what they started. */
  close(): Promise<void>;
}

export interface McpServersOptions {
  /** A real path. */
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly environment: NodeJS.ProcessEnv;
  /** Servers are started in a trusted folder alone, since they are programs that a repository names. */
  readonly isTrusted: boolean;
  /** Plan mode runs nothing that may change something, which any tool of a server may. */
  readonly isPlanning: boolean;
  readonly registry: ToolRegistry;
}

const NONE: McpServers = { notices: [], lines: null, beforeRun: async () => undefined, close: async () => undefined };
/** How long the first prompt waits for tools that are not there yet, and a search afterwards. */
const FIRST_WAIT_MS = 5000;
const LATER_WAIT_MS = 500;

/** Starts the servers that `.mcp.json` names, here or in a folder above within the repository; nothing waits for them, nor for what speaks to them. */
export async function setupMcpServers(options: McpServersOptions): Promise<McpServers> {
  const { cwd, environment, isTrusted, isPlanning, registry } = options;
  if (!isTrusted) return NONE;
  const { configs, faults } = await configuredServers(cwd, environment);
  if (configs.length === 0) return { ...NONE, notices: faults };
  if (isPlanning) return { ...NONE, notices: [...faults, 'Plan mode: the servers of .mcp.json are not started.'] };
  const waiting: string[] = [];
  const started = startServers(configs, options, (text) => void waiting.push(text));
  const patience = { leftMs: FIRST_WAIT_MS };
  const late = async (signal: AbortSignal): Promise<readonly string[]> => {
    const waitMs = patience.leftMs;
    patience.leftMs = LATER_WAIT_MS;
    return untilReady(await started, { signal, waitMs });
  };
  const { registerFinding } = await import('./found-tools.ts');
  registerFinding(registry, configs, late);
  let isFirst = true;
  return {
    notices: faults,
    lines: async () => (await started).flatMap(serverLines),
    beforeRun: async ({ signal, notify }) => {
      if (isFirst) {
        isFirst = false;
        const names = await late(signal);
        const { offerFew } = await import('./found-tools.ts');
        offerFew(registry, configs);
        if (names.length > 0) notify(`Still starting, and FindTool has their tools when they are ready: ${names.join(', ')}`);
      }
      for (const text of waiting.splice(0)) notify(text);
    },
    close: async () => {
      await Promise.all((await started).map((server) => server.close()));
    },
  };
}

/** Never throws: what is wrong is told. */
async function startServers(
  configs: readonly ServerConfig[],
  { cwd, folders, environment, registry }: McpServersOptions,
  notify: (text: string) => void,
): Promise<readonly ServerTools[]> {
  const [client, pins] = await Promise.all([import('../../mcp/client/server-tools.ts'), openPins(folders, cwd)]);
  if ('fault' in pins) {
    notify(pins.fault);
    return [];
  }
  const told = new Set<string>();
  const admit = async (server: string, listed: readonly ListedTool[]): Promise<readonly ListedTool[]> => {
    const admission = await pins.admit(server, listed);
    for (const notice of noticesOf(server, admission)) {
      if (!told.has(notice)) notify(notice);
      told.add(notice);
    }
    return admission.tools;
  };
  const place = { cwd, env: commandEnvironment(environment), version: '1' };
  return configs.map((config) => new client.ServerTools(config, { registry, place, admit, notify }));
}

/** What servers of this folder have come to offer and nobody approved, by server. Errors: AgentError `config_unreadable`. */
export async function waitingServers(cwd: string, folders: UserFolders): Promise<ReadonlyMap<string, Offer>> {
  return (await readablePins(cwd, folders)).waiting;
}

/** Approves what waits of a server, if it is what the digest names. Errors: AgentError `misuse`, `config_unreadable`. */
export async function approveServer(
  { server, digest }: { readonly server: string; readonly digest: string },
  cwd: string,
  folders: UserFolders,
): Promise<Offer> {
  const pins = await readablePins(cwd, folders);
  const approved = await pins.approve(server, digest);
  if (approved !== null) return approved;
  throw new AgentError({
    code: 'misuse',
    message: pins.waiting.has(server)
      ? `${displayLine(server)} offers something else by now than what ${displayLine(digest)} stands for; nothing was approved.`
      : `Nothing of a server ${displayLine(server)} waits for approval.`,
    remedy: 'wield mcp approve, without a name, shows what does.',
  });
}

async function readablePins(cwd: string, folders: UserFolders): Promise<ToolPins> {
  const pins = await openPins(folders, cwd);
  if ('fault' in pins) throw new AgentError({ code: 'config_unreadable', message: pins.fault, remedy: 'Move that file away.' });
  return pins;
}

async function openPins(folders: UserFolders, cwd: string): Promise<ToolPins | { readonly fault: string }> {
  const path = join(folders.state, 'mcp', `${shortHash(trustRoot(cwd))}.json`);
  const { ToolPins } = await import('../../mcp/client/tool-pins.ts');
  return ToolPins.open(path).catch((thrown: unknown) => ({
    fault: `No MCP server is started, since what was approved of them cannot be read from ${path}: ${messageOf(thrown)}`,
  }));
}

function noticesOf(server: string, { held, doubled, fault }: Admission): readonly string[] {
  const first = `The MCP server ${server} offers something else than was approved. Held back until you approve it; the whole of it: wield mcp approve ${server}`;
  return [
    ...(held.length === 0 ? [] : [first, ...held.map((change) => `${server}: ${change}`)]),
    ...doubled.map((name) => `The MCP server ${server} lists its tool ${name} twice; neither is offered.`),
    ...(fault === null ? [] : [`MCP servers: ${fault}`]),
  ];
}

/** A file nearer to the working folder wins for a name. */
export async function configuredServers(
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly configs: readonly ServerConfig[]; readonly faults: readonly string[] }> {
  const root = trustRoot(cwd);
  const byName = new Map<string, ServerConfig>();
  const faults: string[] = [];
  for (const folder of foldersDownTo(cwd, root)) {
    const path = join(folder, '.mcp.json');
    const read = await readConfigs(path, root, environment);
    for (const config of read.servers) byName.set(config.name, config);
    faults.push(...read.faults.map((fault) => `${path}: ${fault}`));
  }
  return { configs: [...byName.values()], faults };
}

async function readConfigs(
  path: string,
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly servers: readonly ServerConfig[]; readonly faults: readonly string[] }> {
  const file = await readConfigFile(path, root);
  if (file === null) return { servers: [], faults: [] };
  if ('fault' in file) return { servers: [], faults: [file.fault] };
  const [{ parse }, { readServerConfigs }] = await Promise.all([
    import('jsonc-parser'),
    import('../../mcp/client/server-config.ts'),
  ]);
  const value: unknown = parse(file.text, [], { allowTrailingComma: true });
  return readServerConfigs(value, environment);
}

function serverLines({ name, isReady, toolNames }: ServerTools): readonly string[] {
  if (!isReady) return [`${displayLine(name)}  still starting`];
  if (toolNames.length === 0) return [`${displayLine(name)}  offers no tools, or is not available`];
  return [`${displayLine(name)}  ${toolNames.length} tools`, ...toolNames.map((tool) => `  ${displayLine(tool)}`)];
}

/** Waits a moment; gives the names of servers that are not there. */
async function untilReady(
  servers: readonly ServerTools[],
  { signal, waitMs }: { readonly signal: AbortSignal; readonly waitMs: number },
): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  signal.addEventListener('abort', () => resolve(), { once: true });
  void Promise.all(servers.map(({ ready }) => ready)).then(() => resolve());
  await promise.finally(() => clearTimeout(timer));
  return servers.filter(({ isReady }) => !isReady).map(({ name }) => name);
}
