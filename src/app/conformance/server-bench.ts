import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError } from '../../core/errors.ts';
import type { Tool } from '../../core/tool.ts';
import { commandEnvironment } from '../../host/process/command-environment.ts';
import type { ServerConfig } from '../../mcp/client/server-config.ts';
import { ServerTools } from '../../mcp/client/server-tools.ts';
import { configuredServers } from '../mcp/mcp-servers.ts';
import type { OpenedBench } from './open-bench.ts';

/** The tools of a server that was started on a bench. */
export interface ServerBench {
  readonly tools: readonly Tool[];
  /** What is wrong with the server, or left out of what it offers. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** The servers that `.mcp.json` names for a folder, all or one. Errors: AgentError `misuse` where there is none of that name. */
export async function serversOf(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  only: string | null,
): Promise<readonly ServerConfig[]> {
  const { configs, faults } = await configuredServers(cwd, environment);
  const chosen = configs.filter(({ name }) => only === null || name === only);
  if (only === null || chosen.length > 0) return chosen;
  const known = configs.map(({ name }) => name).join(', ') || 'none';
  throw new AgentError({
    code: 'misuse',
    message: `There is no MCP server "${only}" here.`,
    remedy: `.mcp.json names: ${known}.${faults.length === 0 ? '' : ` And: ${faults.join(' ')}`}`,
  });
}

/** Starts a server in the bench's folder, so that what it does where it stands is done there. */
export async function openServer(config: ServerConfig, bench: OpenedBench, { cwd, environment }: Place): Promise<ServerBench> {
  const notices: string[] = [];
  const before = new Set(bench.registry.list());
  const server = new ServerTools(withFixedFiles(config, cwd), {
    registry: bench.registry,
    place: { cwd: bench.cwd, env: { ...commandEnvironment(environment), HOME: bench.home }, version: '1' },
    admit: (_server, listed) => listed,
    notify: (text) => void notices.push(text),
  });
  await server.ready;
  return { tools: bench.registry.list().filter((tool) => !before.has(tool)), notices, close: () => server.close() };
}

interface Place {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A program that is named from the project is found there still; a folder is not: it says where to work. */
function withFixedFiles(config: ServerConfig, cwd: string): ServerConfig {
  if (config.type !== 'stdio') return config;
  const fixed = (word: string): string => (isFile(resolve(cwd, word)) ? resolve(cwd, word) : word);
  return {
    ...config,
    command: config.command.includes('/') ? fixed(config.command) : config.command,
    args: config.args.map(fixed),
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
