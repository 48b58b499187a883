import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from './agents.ts';
import { type Exchange, type ModelServer, startModelServer } from './model-server.ts';
import { type NodePlace, runNode } from './node-process.ts';
import type { Files, Scenario } from './scenarios.ts';

/** What one session cost. */
export interface SessionCost {
  readonly firstRequestMs: number;
  /** From the last byte of each response to the arrival of the next request. */
  readonly turnsMs: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly firstRequestBytes: number;
  readonly connections: number;
}

const PROMPT = 'Do the steps, one at a time.';

/** A home that stays over all rounds, as a user's does: what a program keeps from its first start is there at the next. */
export function makeHome(): { readonly home: string; remove(): void } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-home-')));
  return { home: base, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Plays a scenario with an agent in a new workspace. Errors: throws where the session was not what it had to be. */
export async function measureSession(
  agent: Agent,
  { steps, filesBefore, filesAfter }: Scenario,
  home: string,
): Promise<SessionCost> {
  return inScratch({ home, files: filesBefore }, async (place) => {
    const server = await startModelServer(steps, place.cwd);
    try {
      const env = { ...place.env, ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: server.url };
      const { startedMs, ...usage } = await runNode(agent.session(PROMPT), { cwd: place.cwd, env });
      const faults = [...server.faults, ...countFaults(server, steps.length + 1), ...fileFaults(place.cwd, filesAfter)];
      if (faults.length > 0) throw new Error(`${agent.name} did not do its work:\n${faults.join('\n')}`);
      const [first] = server.exchanges as [Exchange];
      return {
        ...usage,
        firstRequestMs: first.arrivedMs - startedMs,
        firstRequestBytes: first.requestBytes,
        connections: server.connections,
        turnsMs: turnsBetween(server.exchanges),
      };
    } finally {
      await server.close();
    }
  });
}

/** Wall time of a whole command, in milliseconds. */
export async function measureCommand(args: readonly string[], home: string): Promise<number> {
  return inScratch({ home, files: {} }, async (place) => (await runNode(args, place)).wallMs);
}

async function inScratch<T>(
  { home, files }: { readonly home: string; readonly files: Files },
  work: (place: NodePlace) => Promise<T>,
): Promise<T> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-')));
  const cwd = join(base, 'workspace');
  mkdirSync(cwd);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  try {
    return await work({ cwd, env: { HOME: home, PATH: process.env['PATH'] ?? '' } });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function turnsBetween(exchanges: readonly Exchange[]): number[] {
  return exchanges.slice(1).map(({ arrivedMs }, i) => arrivedMs - (exchanges[i] as Exchange).answeredMs);
}

function countFaults({ exchanges }: ModelServer, wanted: number): string[] {
  return exchanges.length === wanted ? [] : [`${exchanges.length} requests came; wanted ${wanted}`];
}

function fileFaults(folder: string, wanted: Files): string[] {
  return Object.entries(wanted)
    .filter(([name, content]) => readFileSync(join(folder, name), 'utf8') !== content)
    .map(([name]) => `${name} is not what it should be`);
}
