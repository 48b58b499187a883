import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { displayLine } from '../../core/display-text.ts';
import { systemCodeOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { writeTemp } from '../../host/files/staging.ts';
import type { ListedTool } from './server-tool.ts';

/** Tools by name, as a server told of them. */
type Pinned = Readonly<Record<string, { readonly description: string; readonly inputSchema: unknown }>>;

interface ServerPins {
  readonly approved: Pinned;
  /** What the server offers since, where that is something else. */
  readonly offered?: Pinned;
}

const MAX_SHOWN_CHARS = 300;

/**
 * What the servers of a workspace offered when they were first seen. A tool that is new or reads otherwise since then is held back until a
 * person approves it: a server could have won its trust with another description.
 */
export class ToolPins {
  readonly #path: string;
  readonly #servers: Map<string, ServerPins>;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, servers: Map<string, ServerPins>) {
    this.#path = path;
    this.#servers = servers;
  }

  /** Errors: throws where the file is there and is not what we wrote: nothing is known to be approved then. */
  static async open(path: string): Promise<ToolPins> {
    const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
      if (systemCodeOf(thrown) === 'ENOENT') return '{}';
      throw thrown;
    });
    const file: unknown = JSON.parse(text);
    if (!isJsonObject(file) || !Object.values(file).every(isServerPins)) throw new Error('it is not a list of approved tools');
    // Each entry was checked just before.
    return new ToolPins(path, new Map(Object.entries(file) as [string, ServerPins][]));
  }

  /** Of what a server lists, what may be offered, and what is held back and why, a line each. */
  admit(
    server: string,
    listed: readonly ListedTool[],
  ): { readonly tools: readonly ListedTool[]; readonly held: readonly string[] } {
    const known = this.#servers.get(server);
    const offered = pinnedOf(listed);
    if (known === undefined) {
      this.#keep(server, { approved: offered });
      return { tools: listed, held: [] };
    }
    const held = changesOf(known.approved, offered);
    if (held.length > 0) this.#keep(server, { approved: known.approved, offered });
    return { tools: listed.filter(({ name }) => isSame(known.approved, offered, name)), held };
  }

  /** Approves what a server offered last, and says what that is; null where nothing waits. */
  async approve(server: string): Promise<readonly string[] | null> {
    const known = this.#servers.get(server);
    if (known?.offered === undefined) return null;
    this.#keep(server, { approved: known.offered });
    await this.saved();
    return changesOf(known.approved, known.offered);
  }

  /** What waits for approval, a line each, by server. */
  get waiting(): ReadonlyMap<string, readonly string[]> {
    const waiting = new Map<string, readonly string[]>();
    for (const [name, { approved, offered }] of this.#servers)
      if (offered !== undefined) waiting.set(name, changesOf(approved, offered));
    return waiting;
  }

  /** Resolves when all is on disk. Errors: what the system threw. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #keep(server: string, pins: ServerPins): void {
    this.#servers.set(server, pins);
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#save());
    // Whoever asks is told.
    this.#saving.catch(() => undefined);
  }

  async #save(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const temp = `${this.#path}.${process.pid}.tmp`;
    await writeTemp(temp, [Buffer.from(`${JSON.stringify(Object.fromEntries(this.#servers), null, 2)}\n`)], 'private');
    await rename(temp, this.#path);
  }
}

function isServerPins(value: unknown): boolean {
  return (
    isJsonObject(value) && isJsonObject(value['approved']) && (value['offered'] === undefined || isJsonObject(value['offered']))
  );
}

function pinnedOf(listed: readonly ListedTool[]): Pinned {
  return Object.fromEntries(listed.map(({ name, description, inputSchema }) => [name, { description, inputSchema }]));
}

function isSame(approved: Pinned, offered: Pinned, name: string): boolean {
  return Object.hasOwn(approved, name) && JSON.stringify(approved[name]) === JSON.stringify(offered[name]);
}

function changesOf(approved: Pinned, offered: Pinned): string[] {
  return Object.keys(offered)
    .filter((name) => !isSame(approved, offered, name))
    .map((name) => changeOf(name, Object.hasOwn(approved, name) ? approved[name] : undefined, offered[name]));
}

function changeOf(name: string, before: Pinned[string] | undefined, after: Pinned[string] | undefined): string {
  const shown = displayLine(name);
  if (before === undefined) return `${shown} is new: ${displayLine(after?.description ?? '', MAX_SHOWN_CHARS)}`;
  const [was, is] =
    before.description === after?.description
      ? [JSON.stringify(before.inputSchema), JSON.stringify(after.inputSchema)]
      : [before.description, after?.description ?? ''];
  return `${shown} changed\n  - ${fromDifference(was, is)}\n  + ${fromDifference(is, was)}`;
}

/** A text from a little before where it differs from another: a change at the end of a long one is shown too. */
function fromDifference(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  const from = Math.max(0, at - 60);
  return displayLine(`${from > 0 ? '…' : ''}${text.slice(from)}`, MAX_SHOWN_CHARS);
}
