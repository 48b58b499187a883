import { Client, SdkHttpError, type Transport } from '@modelcontextprotocol/client';
import { displayLine } from '../../core/display-text.ts';
import { messageOf } from '../../core/errors.ts';
import type { ToolContext } from '../../core/tool.ts';
import { fail, type ToolResult } from '../../core/tool-result.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { maskFilled } from './masked-text.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerConfig } from './server-config.ts';
import { resultOfServer } from './server-result.ts';
import { type ListedTool, readListed } from './server-tool.ts';

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
const MAX_WORDS_CHARS = 2000;

class ServerEnded extends Error {}

interface Link {
  readonly client: Client;
  /** Why it ended; null while it holds. */
  epitaph(): string | null;
  /** True where the server only wants a new session. */
  isForgotten(): boolean;
}

/** One server, connected when it is first needed and again where it died; not for ever, since one that keeps dying is no help. */
export class ServerConnection {
  readonly #config: ServerConfig;
  readonly #place: ConnectionPlace;
  readonly #onToolsChanged: () => void;
  #link: Promise<Link> | null = null;
  readonly #opened = new Set<Transport>();
  #starts = 0;
  #isClosed = false;

  constructor(config: ServerConfig, place: ConnectionPlace, onToolsChanged: () => void) {
    this.#config = config;
    this.#place = place;
    this.#onToolsChanged = onToolsChanged;
  }

  /** All that it offers, in its order. Errors: throws in words why there is no list. */
  async listTools(): Promise<readonly ListedTool[]> {
    try {
      return await this.#inSession(({ client }) => allTools(client));
    } catch (thrown) {
      throw new Error(this.#words(thrown), { cause: thrown });
    }
  }

  /** Waits for the server where it still starts. */
  async call(name: string, input: unknown, { signal, progress }: ToolContext): Promise<ToolResult> {
    const { name: server } = this.#config;
    const params = { name, arguments: isJsonObject(input) ? { ...input } : {} };
    let hasBegun = false;
    try {
      const result = await this.#inSession(({ client }) => {
        hasBegun = true;
        return client.request(
          { method: 'tools/call', params },
          {
            signal,
            timeout: CALL_MS,
            maxTotalTimeout: MAX_CALL_MS,
            resetTimeoutOnProgress: true,
            onprogress: ({ message }) => progress(message ?? `${server} is at work`),
          },
        );
      });
      return resultOfServer(result);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const words = this.#words(thrown);
      if (!hasBegun) return fail(`The server ${server} cannot be reached: ${words}. Go on without it, or tell the person.`);
      return fail(`${server} gave no result: ${words}. It may have had part of its effect; see before you call it again.`);
    }
  }

  /** Whoever waits for it is told by its end, also where it still starts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#opened].map((transport) => transport.close()));
  }

  /** A server that says that it does not know the session did nothing else, and is asked once more in a new one. */
  async #inSession<T>(work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.#connected();
    try {
      return await work(link);
    } catch (thrown) {
      const epitaph = link.epitaph();
      if (epitaph === null || this.#isClosed) throw thrown;
      const isUntouched = link.isForgotten() && thrown instanceof SdkHttpError && thrown.status === 404;
      if (!isUntouched) throw diedMeanwhile(epitaph, thrown);
    }
    return work(await this.#connected());
  }

  async #connected(): Promise<Link> {
    if (this.#isClosed) throw new Error('it was closed');
    const known = this.#link;
    const link = await known?.catch(() => null);
    if (link != null && link.epitaph() === null) return link;
    // Somebody else has begun anew meanwhile.
    if (this.#link !== known) return this.#connected();
    if (link?.isForgotten() !== true && this.#starts++ >= MAX_STARTS)
      throw new Error(`it ended ${MAX_STARTS} times; ${link?.epitaph() ?? 'it never answered'}`);
    const begun = this.#connectAsItCan();
    this.#link = begun;
    // What begins anew may offer something else.
    if (known !== null) begun.then(this.#onToolsChanged, () => undefined);
    return begun;
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
    const { transport, epitaph, isForgotten } = await this.#open();
    if (this.#isClosed) throw new Error('it was closed');
    this.#opened.add(transport);
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
    try {
      await client.connect(transport, { timeout: START_MS });
    } catch (thrown) {
      const end = epitaph();
      await transport.close();
      throw end === null ? new Error(deepestReason(thrown), { cause: thrown }) : new ServerEnded(end, { cause: thrown });
    }
    return { client, isForgotten, epitaph: () => epitaph() ?? (isOver ? 'the connection ended' : null) };
  }

  async #open(): Promise<Omit<Link, 'client'> & { readonly transport: Transport }> {
    if (this.#config.type === 'stdio') {
      const { command, args, env } = this.#config;
      const { cwd } = this.#place;
      const transport = new ServerProcess({ command, args, cwd, env: { ...this.#place.env, ...env } });
      return { transport, epitaph: () => transport.epitaph, isForgotten: () => false };
    }
    const { openHttp } = await import('./server-address.ts');
    return openHttp(this.#config);
  }

  /** Why something failed, without what the configuration filled in. */
  #words(thrown: unknown): string {
    return displayLine(maskFilled(messageOf(thrown), this.#config.masks ?? []), MAX_WORDS_CHARS);
  }
}

async function allTools(client: Client): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, { timeout: START_MS });
    tools.push(...listed.tools.map(readListed));
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, MAX_TOOLS);
}

function diedMeanwhile(epitaph: string, cause: unknown): Error {
  return new Error(`the server died in the middle of it: ${epitaph}`, { cause });
}

/** What lies at the bottom of an error: that a fetch failed says less than why. */
function deepestReason(thrown: unknown): string {
  let at = thrown;
  while (at instanceof Error && at.cause instanceof Error && at.cause.message !== '') at = at.cause;
  return messageOf(at);
}
