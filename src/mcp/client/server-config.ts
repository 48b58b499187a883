import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { Mask } from './masked-text.ts';

/** How a server is reached: a program to start, or an address. */
export type ServerConfig = {
  readonly name: string;
  /** What must not stand in anything that is told of it: what was filled in, and all headers. */
  readonly masks?: readonly Mask[];
} & (
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

export interface ServerConfigs {
  readonly servers: readonly ServerConfig[];
  /** What is wrong with the others, a line each. */
  readonly faults: readonly string[];
}

// A rule names server and tool with two underscores between them, so that a name with two of its own could pass for another's. Only what
// a tool's name can hold as it is may stand here: two servers that become one name would be one to a rule.
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?$/;
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Reads the value of an `.mcp.json`: servers under `mcpServers` or `servers`, with `${NAME}` and `${NAME:-default}` filled in. */
export function readServerConfigs(file: unknown, environment: NodeJS.ProcessEnv): ServerConfigs {
  if (!isJsonObject(file)) return { servers: [], faults: ['it is no JSON object'] };
  const listed = file['mcpServers'] ?? file['servers'];
  if (!isJsonObject(listed)) return { servers: [], faults: ['it has no object mcpServers'] };
  const servers: ServerConfig[] = [];
  const faults: string[] = [];
  for (const [name, entry] of Object.entries(listed)) {
    const read = readServer(name, entry, environment);
    if (read === null) continue;
    if (typeof read === 'string') faults.push(`server "${name}": ${read}`);
    else servers.push(read);
  }
  return { servers, faults };
}

/** Null where it is switched off, and words where it is wrong. */
function readServer(name: string, entry: unknown, environment: NodeJS.ProcessEnv): ServerConfig | string | null {
  if (!SERVER_NAME.test(name))
    return 'its name must be letters, digits, single underscores and hyphens, 32 at most, since rules name it';
  if (!isJsonObject(entry)) return 'it is no JSON object';
  if (entry['disabled'] === true) return null;
  const missing: string[] = [];
  const masks: Mask[] = [];
  const fill = (text: string): string =>
    text.replaceAll(VARIABLE, (_whole, variable: string, fallback: string | undefined) => {
      const value = (Object.hasOwn(environment, variable) ? environment[variable] : undefined) ?? fallback;
      if (value === undefined) missing.push(variable);
      else if (value !== fallback) masks.push({ shown: `\${${variable}}`, value });
      return value ?? '';
    });
  const config = 'command' in entry ? readProgram(name, entry, fill) : readAddress(name, entry, fill);
  if (missing.length > 0) return `it needs ${[...new Set(missing)].map((one) => `\${${one}}`).join(' and ')}, which is not set`;
  if (typeof config === 'string') return config;
  return { ...config, masks: [...masks, ...headerMasks(config)] };
}

/** A header can hold a key as it is. */
function headerMasks(config: ServerConfig): readonly Mask[] {
  if (config.type !== 'http') return [];
  return Object.entries(config.headers).map(([name, value]) => ({ shown: `[the header ${name}]`, value }));
}

type Fill = (text: string) => string;

function readProgram(name: string, { command, args = [], env = {} }: JsonObject, fill: Fill): ServerConfig | string {
  if (typeof command !== 'string' || command.trim() === '') return '"command" must be the name or path of a program';
  if (!isTextList(args)) return '"args" must be a list of strings';
  if (!isTextMap(env)) return '"env" must be an object of strings';
  return { name, type: 'stdio', command: fill(command), args: args.map(fill), env: filledMap(env, fill) };
}

function readAddress(name: string, { url, headers = {} }: JsonObject, fill: Fill): ServerConfig | string {
  if (typeof url !== 'string') return 'it has neither a "command" nor a "url"';
  if (!isTextMap(headers)) return '"headers" must be an object of strings';
  const filled = fill(url);
  if (!/^https?:$/.test(URL.parse(filled)?.protocol ?? '')) return '"url" is no address that begins with http:// or https://';
  return { name, type: 'http', url: filled, headers: filledMap(headers, fill) };
}

function filledMap(map: Readonly<Record<string, string>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, fill(value)]));
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string');
}
