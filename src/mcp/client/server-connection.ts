import { Client, type Tool as ToolOfServer, type Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../core/errors.ts';
import type { ToolContext } from '../../core/tool.ts';
import { fail, type ToolResult } from '../../core/tool-result.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { isTooDeep } from '../json-depth.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerConfig } from './server-config.ts';
import { resultOfServer } from './server-result.ts';
import type { ListedTool } from './server-tool.ts';

export interface ConnectionPlace {
  readonly cwd: string;
  /** What every server gets besides what its configuration says. */
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

const START_MS = 30_000;
const PROBE_MS = 8000;
const CALL_MS = 120_000;
const MAX_CALL_MS = 600_000;
const MAX_STARTS = 3;
const MAX_TOOLS = 300;
const MAX_PAGES = 30;

class ServerEnded extends Error {}

interface Link {
  readonly client: Client;
  /** Why it ended; null while it holds. */
  epitaph(): string | null;
}

/** One server, connected when it is first needed and again where it died; not for ever, since one that keeps dying is no help. */
export class ServerConnection {
  readonly #config: ServerConfig;
  readonly #place: ConnectionPlace;
  readonly #onToolsChanged: () => void;
  #link: Promise<Link> | null = null;
  #starts = 0;
  #isClosed = false;
  /** What a start that is under way waits for. */
  #opening: Transport | null = null;

  constructor(config: ServerConfig, place: ConnectionPlace, onToolsChanged: () => void) {
    this.#config = config;
    this.#place = place;
    this.#onToolsChanged = onToolsChanged;
  }

  /** All that it offers, in its order. Errors: throws in words why there is no list. */
  async listTools(): Promise<readonly ListedTool[]> {
    const { client, epitaph } = await this.#connected();
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    try {
      for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
        const params = cursor === undefined ? {} : { cursor };
        const listed = await client.request({ method: 'tools/list', params }, { timeout: START_MS });
        tools.push(...listed.tools.map(readTool));
        cursor = listed.nextCursor;
        if (cursor === undefined) break;
      }
    } catch (thrown) {
      throw new Error(epitaph() ?? messageOf(thrown), { cause: thrown });
    }
    return tools.slice(0, MAX_TOOLS);
  }

  /** Waits for the server where it still starts. */
  async call(name: string, input: unknown, { signal, progress }: ToolContext): Promise<ToolResult> {
    const { name: server } = this.#config;
    let link: Link;
    try {
      link = await this.#connected();
    } catch (thrown) {
      return fail(`The server ${server} cannot be reached: ${messageOf(thrown)}. Go on without it, or tell the person.`);
    }
    try {
      const result = await link.client.request(
        { method: 'tools/call', params: { name, arguments: isJsonObject(input) ? { ...input } : {} } },
        {
          signal,
          timeout: CALL_MS,
          maxTotalTimeout: MAX_CALL_MS,
          resetTimeoutOnProgress: true,
          onprogress: ({ message }) => progress(message ?? `${server} is at work`),
        },
      );
      return resultOfServer(result);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const epitaph = link.epitaph();
      const what = epitaph === null ? messageOf(thrown) : `the server died in the middle of it: ${epitaph}`;
      return fail(`${server} gave no result: ${what}. It may have had part of its effect; see before you call it again.`);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // A start that gets no answer would hold up the end.
    await this.#opening?.close();
    const link = await this.#link?.catch(() => null);
    await link?.client.close();
  }

  async #connected(): Promise<Link> {
    if (this.#isClosed) throw new Error('it was closed');
    const known = this.#link;
    const link = await known?.catch(() => null);
    if (link != null && link.epitaph() === null) return link;
    // Somebody else has begun anew meanwhile.
    if (this.#link !== known) return this.#connected();
    if (this.#starts >= MAX_STARTS) throw new Error(`it ended ${MAX_STARTS} times; ${link?.epitaph() ?? 'it never answered'}`);
    this.#starts++;
    this.#link = this.#connectAsItCan();
    return this.#link;
  }

  /** Some servers of earlier revisions end at a question that they do not know. */
  async #connectAsItCan(): Promise<Link> {
    try {
      return await this.#connect('auto');
    } catch (thrown) {
      const hasEnded = thrown instanceof ServerEnded && this.#config.type === 'stdio' && this.#starts === 1;
      if (!hasEnded || this.#isClosed) throw thrown;
      return this.#connect('legacy');
    }
  }

  async #connect(mode: 'auto' | 'legacy'): Promise<Link> {
    const { transport, epitaph } = await this.#open();
    if (this.#isClosed) throw new Error('it was closed');
    const client = new Client(
      { name: 'wield', version: this.#place.version },
      {
        capabilities: {},
        versionNegotiation: { mode, probe: { timeoutMs: PROBE_MS } },
        // The default compiles what a server sends into code. What a tool answers is for a model, and needs no check.
        jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
      },
    );
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#onToolsChanged());
    let isOver = false;
    client.onclose = () => {
      isOver = true;
    };
    this.#opening = transport;
    try {
      await client.connect(transport, { timeout: START_MS });
    } catch (thrown) {
      const end = epitaph();
      await transport.close();
      throw end === null ? new Error(deepestReason(thrown), { cause: thrown }) : new ServerEnded(end, { cause: thrown });
    } finally {
      this.#opening = null;
    }
    return { client, epitaph: () => (isOver ? (epitaph() ?? 'the connection ended') : null) };
  }

  async #open(): Promise<{ readonly transport: Transport; epitaph(): string | null }> {
    if (this.#config.type === 'stdio') {
      const { command, args, env } = this.#config;
      const { cwd } = this.#place;
      const transport = new ServerProcess({ command, args, cwd, env: { ...this.#place.env, ...env } });
      return { transport, epitaph: () => transport.epitaph };
    }
    const { openHttp } = await import('./server-address.ts');
    return { transport: openHttp(this.#config), epitaph: () => null };
  }
}

/** A schema that nobody can walk is none. */
function readTool({ name, description = '', inputSchema }: ToolOfServer): ListedTool {
  return { name, description, inputSchema: isTooDeep(inputSchema) ? null : inputSchema };
}

/** What lies at the bottom of an error: that a fetch failed says less than why. */
function deepestReason(thrown: unknown): string {
  let at = thrown;
  while (at instanceof Error && at.cause instanceof Error && at.cause.message !== '') at = at.cause;
  return messageOf(at);
}
