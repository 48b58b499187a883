import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { displayLine } from '../../core/display-text.ts';
import { messageOf, systemCodeOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { PathLocks } from '../../host/files/path-lock.ts';
import { writeTemp } from '../../host/files/staging.ts';
import { randomName } from '../../host/random-name.ts';
import type { ListedTool } from './server-tool.ts';
import { isApproved, type Offer, offerOf, type Pinned, shortChanges } from './tool-changes.ts';

interface ServerPins {
  readonly approved: Pinned;
  /** What the server offers since, where that is something else. */
  readonly offered?: Pinned;
}

/** Of what a server lists, what may be offered. */
export interface Admission {
  readonly tools: readonly ListedTool[];
  /** What is held back and why, a line each. */
  readonly held: readonly string[];
  /** Names that are listed twice, safe to show. Neither of the two is offered, nor can be approved. */
  readonly doubled: readonly string[];
  /** Why it will not be known next time; null where it will be. */
  readonly fault: string | null;
}

/**
 * What the servers of a workspace offered when they were first seen. A tool that is new or reads otherwise since then is held back until a
 * person approves it: a server could have won its trust with another description. What is on the disk is read again and written under a
 * lock each time, since several sessions and a person who approves use it at once.
 */
export class ToolPins {
  readonly #path: string;
  readonly #locks: PathLocks;
  /** What was last read or written; counts where the disk takes nothing. */
  #servers: ReadonlyMap<string, ServerPins>;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(path: string, servers: ReadonlyMap<string, ServerPins>) {
    this.#path = path;
    this.#locks = new PathLocks(dirname(path));
    this.#servers = servers;
  }

  /** Errors: throws where the file is there and is not what we wrote: nothing is known to be approved then. */
  static async open(path: string): Promise<ToolPins> {
    return new ToolPins(path, (await readPins(path)) ?? new Map());
  }

  /** Tools of a name that is listed twice are left out: nobody can tell which of the two a call would reach. Errors: as `open`. */
  async admit(server: string, listed: readonly ListedTool[]): Promise<Admission> {
    const doubled = doubledNames(listed);
    const single = listed.filter(({ name }) => !doubled.has(name));
    const offered = pinnedOf(single);
    const { pins, fault } = await this.#update(server, (known) => {
      if (known === null) return { approved: offered };
      const isChanged = single.some((tool) => !isApproved(known.approved, tool.name, tool));
      return isChanged ? { approved: known.approved, offered } : { approved: known.approved };
    });
    const approved = pins?.approved ?? {};
    return {
      tools: single.filter((tool) => isApproved(approved, tool.name, tool)),
      held: shortChanges(approved, offered),
      doubled: [...doubled].map((name) => displayLine(name)),
      fault,
    };
  }

  /** Approves what waits of a server if it is what the digest names; null where it is something else, or nothing. Errors: as `open`, and what the system threw. */
  async approve(server: string, digest: string): Promise<Offer | null> {
    let taken: Offer | null = null;
    const { fault } = await this.#update(server, (known) => {
      if (known?.offered === undefined) return known;
      const offer = offerOf(known.approved, known.offered);
      if (offer.digest !== digest) return known;
      taken = offer;
      return { approved: { ...known.approved, ...known.offered } };
    });
    if (fault !== null) throw new Error(fault);
    return taken;
  }

  /** What waits for approval, by server. */
  get waiting(): ReadonlyMap<string, Offer> {
    const waiting = new Map<string, Offer>();
    for (const [name, { approved, offered }] of this.#servers)
      if (offered !== undefined) waiting.set(name, offerOf(approved, offered));
    return waiting;
  }

  /** One change at a time here, and under the lock among processes. */
  #update(server: string, change: (known: ServerPins | null) => ServerPins | null): Promise<Updated> {
    const done = this.#turn.then(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 }).catch(() => undefined);
      return this.#locks.hold([this.#path], () => this.#change(server, change));
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #change(server: string, change: (known: ServerPins | null) => ServerPins | null): Promise<Updated> {
    const servers = new Map([...this.#servers, ...((await readPins(this.#path)) ?? [])]);
    const known = servers.get(server) ?? null;
    const pins = change(known);
    if (pins !== null) servers.set(server, pins);
    this.#servers = servers;
    const fault = JSON.stringify(pins) === JSON.stringify(known) ? null : await this.#save(servers);
    return { pins, fault };
  }

  /** Null, or why it is not on the disk. */
  async #save(servers: ReadonlyMap<string, ServerPins>): Promise<string | null> {
    try {
      const temp = `${this.#path}.${process.pid}-${randomName(6)}.tmp`;
      await writeTemp(temp, [Buffer.from(`${JSON.stringify(Object.fromEntries(servers), null, 2)}\n`)], 'private');
      await rename(temp, this.#path);
      return null;
    } catch (thrown) {
      return `what was approved cannot be kept in ${this.#path}: ${messageOf(thrown)}`;
    }
  }
}

interface Updated {
  readonly pins: ServerPins | null;
  readonly fault: string | null;
}

/** Null where there is no file, or no folder that could hold one. */
async function readPins(path: string): Promise<ReadonlyMap<string, ServerPins> | null> {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    if (systemCodeOf(thrown) === 'ENOENT' || systemCodeOf(thrown) === 'ENOTDIR') return null;
    throw thrown;
  });
  if (text === null) return null;
  const file: unknown = JSON.parse(text);
  if (!isJsonObject(file) || !Object.values(file).every(isServerPins)) throw new Error('it is not a list of approved tools');
  // Each entry was checked just before.
  return new Map(Object.entries(file) as [string, ServerPins][]);
}

function isServerPins(value: unknown): boolean {
  return (
    isJsonObject(value) && isJsonObject(value['approved']) && (value['offered'] === undefined || isJsonObject(value['offered']))
  );
}

function pinnedOf(listed: readonly ListedTool[]): Pinned {
  return Object.fromEntries(listed.map(({ name, description, inputSchema }) => [name, { description, inputSchema }]));
}

function doubledNames(listed: readonly ListedTool[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(listed.map(({ name }) => name).filter((name) => seen.has(name) || !seen.add(name)));
}
