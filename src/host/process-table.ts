import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly name: string;
}

const GRACE_MS = 2000;
const POLL_MS = 20;

/** Ends processes: TERM, two seconds, KILL. `list` is asked again until it is empty; returns who was there and who still is. */
export async function endProcesses(
  list: () => Promise<readonly ProcessEntry[]>,
): Promise<{ ended: string[]; survivors: string[] }> {
  const first = await list();
  if (first.length === 0) return { ended: [], survivors: [] };
  let alive = signalAll(first, 'SIGTERM');
  const graceEnds = performance.now() + GRACE_MS;
  while (alive.length > 0 && performance.now() < graceEnds) {
    await sleep(POLL_MS);
    alive = await list();
  }
  for (let tries = 0; alive.length > 0 && tries < 10; tries++) {
    signalAll(alive, 'SIGKILL');
    await sleep(POLL_MS);
    alive = await list();
  }
  const survivors = alive.map(label);
  return { ended: first.map(label).filter((name) => !survivors.includes(name)), survivors };
}

/** Running processes of a group. Source: proc(5), /proc/PID/stat. */
export async function processesOfGroup(group: number): Promise<ProcessEntry[]> {
  if (!isGroupAlive(group)) return [];
  return (await runningProcesses()).filter((entry) => entry.group === group);
}

/** Running processes that carry `NAME=value` in the environment they were started with, wherever they went. */
export async function processesMarked(mark: string): Promise<ProcessEntry[]> {
  const entries = await runningProcesses();
  const marked = await Promise.all(entries.map(async (entry) => ((await environOf(entry.pid)).includes(mark) ? entry : null)));
  return marked.filter((entry) => entry !== null);
}

/** Asks the kernel without reading /proc: true while a group has any member. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function label({ pid, name }: ProcessEntry): string {
  return `${name} (pid ${pid})`;
}

function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): readonly ProcessEntry[] {
  for (const { pid } of entries) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself in between.
    }
  }
  return entries;
}

async function runningProcesses(): Promise<ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => []);
  const entries = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readEntry));
  return entries.filter((entry) => entry !== null);
}

async function readEntry(pid: string): Promise<ProcessEntry | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name stands in parentheses and may hold any character; the fields follow the last one.
  const end = stat.lastIndexOf(')');
  const [state, , group] = stat.slice(end + 2).split(' ');
  if (end === -1 || state === 'Z' || state === 'X') return null;
  return { pid: Number(pid), group: Number(group), name: stat.slice(stat.indexOf('(') + 1, end) };
}

async function environOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0');
}
