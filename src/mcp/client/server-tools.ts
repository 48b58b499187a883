import { displayLine } from '../../core/display-text.ts';
import { messageOf } from '../../core/errors.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import type { ServerConfig } from './server-config.ts';
import { type ConnectionPlace, ServerConnection } from './server-connection.ts';
import { type ListedTool, serverTool } from './server-tool.ts';
import { serverToolName } from './tool-name.ts';

export interface ServerToolsOptions {
  readonly registry: ToolRegistry;
  readonly place: ConnectionPlace;
  /** Of what a server lists, what may be offered; tells the rest. */
  admit(server: string, tools: readonly ListedTool[]): readonly ListedTool[] | Promise<readonly ListedTool[]>;
  /** Tells the person a line. */
  notify(text: string): void;
}

const FIRST_REFRESH_MS = 500;
const LAST_REFRESH_MS = 60_000;

/** The tools of one server in a registry. They come when the server has listed them, and follow its list, however often it says that it changed. */
export class ServerTools {
  readonly #config: ServerConfig;
  readonly #options: ServerToolsOptions;
  readonly #connection: ServerConnection;
  /** By the server's own name for it: ours, and what it was listed as. */
  readonly #registered = new Map<string, { readonly shown: string; readonly listed: string }>();
  readonly #refused = new Set<string>();
  #refreshMs = FIRST_REFRESH_MS;
  #timer: NodeJS.Timeout | null = null;
  /** Resolves when the first list is in, or will not come. */
  readonly ready: Promise<void>;
  isReady = false;

  constructor(config: ServerConfig, options: ServerToolsOptions) {
    this.#config = config;
    this.#options = options;
    this.#connection = new ServerConnection(config, options.place, () => this.#scheduleRefresh());
    this.ready = this.#refresh().finally(() => {
      this.isReady = true;
    });
  }

  get name(): string {
    return this.#config.name;
  }

  /** Of the tools that are offered now, as models see them. */
  get toolNames(): readonly string[] {
    const { registry } = this.#options;
    const names = [...this.#registered.values()].map(({ shown }) => shown);
    return names.filter((name) => registry.list().some((tool) => tool.name === name));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    await this.#connection.close();
  }

  /** Once for any number of announcements, and later each time: a list that never settles is not worth a model's cache. */
  #scheduleRefresh(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#refresh();
    }, this.#refreshMs).unref();
    this.#refreshMs = Math.min(this.#refreshMs * 2, LAST_REFRESH_MS);
  }

  async #refresh(): Promise<void> {
    const { name } = this.#config;
    try {
      const listed = await this.#connection.listTools();
      this.#follow(await this.#options.admit(name, listed));
    } catch (thrown) {
      this.#options.notify(`The MCP server ${name} is not available: ${displayLine(messageOf(thrown), 400)}`);
    }
  }

  #follow(listed: readonly ListedTool[]): void {
    const { registry, notify } = this.#options;
    const { name } = this.#config;
    const names = new Set(listed.map((tool) => tool.name));
    for (const [own, { shown }] of this.#registered)
      if (!names.has(own)) registry.disable(shown, `its server ${name}, which no longer offers it as it was approved`);
    for (const tool of listed) {
      const known = this.#registered.get(tool.name);
      if (known?.listed === JSON.stringify(tool)) registry.enable(known.shown);
      else if (!this.#refused.has(tool.name)) {
        const fault = this.#register(tool);
        if (fault === null) continue;
        this.#refused.add(tool.name);
        notify(`The MCP server ${name}: ${displayLine(fault, 400)}`);
      }
    }
  }

  /** Null, or why it is left out. */
  #register(listed: ListedTool): string | null {
    const { registry } = this.#options;
    const tool = serverTool(this.name, listed, (name, input, context) => this.#connection.call(name, input, context));
    if ('fault' in tool) return tool.fault;
    try {
      if (this.#registered.has(listed.name)) registry.replace(tool).enable(tool.name);
      else registry.register(tool);
    } catch {
      return `its tool ${listed.name} is left out: the name ${serverToolName(this.name, listed.name)} is taken`;
    }
    this.#registered.set(listed.name, { shown: tool.name, listed: JSON.stringify(listed) });
    return null;
  }
}
