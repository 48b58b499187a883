import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

/** A Node process that has ended well. */
export interface NodeRun {
  /** Of `performance.now()` in this process, before anything of the other one existed. */
  readonly startedMs: number;
  readonly wallMs: number;
  /** User and system, without the processes that it started itself. */
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

export interface NodePlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const EXIT_USAGE = join(import.meta.dirname, 'exit-usage.cjs');

/** Runs this Node with these arguments, and nothing in the environment but what is given. Errors: throws where it fails. */
export async function runNode(args: readonly string[], { cwd, env }: NodePlace): Promise<NodeRun> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['--require', EXIT_USAGE, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<{ code: number | null; wallMs: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, wallMs: performance.now() - startedMs }));
  });
  const [{ code, wallMs }, , stderr, usageText] = await Promise.all([
    exited,
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
  ]);
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${stderr}`);
  const usage = JSON.parse(usageText) as NodeJS.ResourceUsage;
  return { startedMs, wallMs, cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1000, peakRssMb: usage.maxRSS / 1024 };
}
