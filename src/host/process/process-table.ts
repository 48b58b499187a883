import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A running process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly name: string;
}

/** All that one call started: its process group, and what left the group but carries `mark` (`NAME=value`) in its environment. */
export interface ProcessFamily {
  /** The group's number, which is the id of the process that founded it. */
  readonly group: number;
  readonly mark: string;
}

/** By name: who was there, and who still is. */
export interface EndedProcesses {
  readonly ended: readonly string[];
  readonly survivors: readonly string[];
}

// The first process of a namespace is the sandbox's own: it ends with the others, and is nothing that a command left behind.
const SANDBOX_KEEPER = 'bwrap';
const GRACE_MS = 2000;
const POLL_MS = 20;
const MAX_KILLS = 10;

/** Ends a family: TERM, two seconds, KILL. */
export function endFamily(family: ProcessFamily): Promise<EndedProcesses> {
  return endAll(
    () => membersOf(family),
    (entries, signal) => signalAll(family, entries, signal),
  );
}

/** The same for all other processes that have a file open: a named pipe tells who still writes to it, whatever else it left behind. */
export function endHolders(path: string): Promise<EndedProcesses> {
  return endAll(
    () => holdersOf(path),
    (entries, signal) => entries.forEach(({ pid }) => send(pid, signal)),
  );
}

async function endAll(
  find: () => Promise<ProcessEntry[]>,
  signal: (entries: readonly ProcessEntry[], signal: NodeJS.Signals) => void,
): Promise<EndedProcesses> {
  const first = await find();
  if (first.length === 0) return { ended: [], survivors: [] };
  let alive = first;
  signal(alive, 'SIGTERM');
  const graceEnds = performance.now() + GRACE_MS;
  while (alive.length > 0 && performance.now() < graceEnds) {
    await sleep(POLL_MS);
    alive = await find();
  }
  for (let kills = 0; alive.length > 0 && kills < MAX_KILLS; kills++) {
    signal(alive, 'SIGKILL');
    await sleep(POLL_MS);
    alive = await find();
  }
  const survivors = labels(alive);
  return { ended: labels(first).filter((name) => !survivors.includes(name)), survivors };
}

/** The running processes of a family. */
export async function membersOf({ group, mark }: ProcessFamily): Promise<ProcessEntry[]> {
  // To the kernel 0 means the caller's own group. Source: kill(2)
  if (group <= 1) return [];
  const entries = await runningSince(group);
  const isMember = await Promise.all(entries.map(async (entry) => entry.group === group || (await isMarked(entry.pid, mark))));
  const members = entries.filter((_entry, i) => isMember[i]);
  const namespaces = await sandboxNamespaces(members);
  if (namespaces.size === 0) return members;
  const homes = await Promise.all(entries.map(({ pid }) => pidNamespace(pid)));
  return entries.filter((_entry, i) => isMember[i] || namespaces.has(homes[i] ?? ''));
}

/** The namespaces that members live in besides ours: who is in one of them was started by the call, whatever else it left behind. */
async function sandboxNamespaces(members: readonly ProcessEntry[]): Promise<ReadonlySet<string>> {
  if (members.length === 0) return new Set();
  const [own, ...theirs] = await Promise.all(['self' as const, ...members.map(({ pid }) => pid)].map(pidNamespace));
  return new Set(theirs.filter((namespace) => namespace !== '' && namespace !== own));
}

/** Source: namespaces(7), /proc/PID/ns/pid. Empty where it cannot be read. */
async function pidNamespace(pid: number | 'self'): Promise<string> {
  return readlink(`/proc/${pid}/ns/pid`).catch(() => '');
}

async function holdersOf(path: string): Promise<ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const holds = await Promise.all(pids.map((pid) => hasOpen(pid, path)));
  const entries = await Promise.all(pids.filter((_pid, i) => holds[i]).map(readEntry));
  return entries.filter((entry) => entry !== null);
}

/** Source: proc(5), /proc/PID/fd: the name of an unlinked file has " (deleted)" behind it. */
async function hasOpen(pid: string, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.some((target) => target === path || target === `${path} (deleted)`);
}

/** Asks the kernel, which is quicker than the table: true while a group has any member, were it a zombie that nobody reaps, as in many containers. */
export function isGroupThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function labels(entries: readonly ProcessEntry[]): string[] {
  return entries.filter(({ name }) => name !== SANDBOX_KEEPER).map(({ pid, name }) => `${name} (pid ${pid})`);
}

function signalAll({ group }: ProcessFamily, entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  // The group as one, so that a process that is forked just now gets the signal too.
  if (entries.some((entry) => entry.group === group)) send(-group, signal);
  for (const entry of entries) if (entry.group !== group) send(entry.pid, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It ended by itself in between, or belongs to someone else: then it is a survivor.
  }
}

/** Running processes that may have been started by a process or after it. */
async function runningSince(pid: number): Promise<ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return fromPs();
  // Process ids rise until they start again from the bottom. Source: proc(5), /proc/loadavg, last field
  const newest = Number((await readFile('/proc/loadavg', 'utf8').catch(() => '')).split(' ')[4]);
  const isRising = newest >= pid;
  const pids = names.filter((name) => /^\d+$/.test(name) && (!isRising || Number(name) >= pid));
  return (await Promise.all(pids.map(readEntry))).filter((entry) => entry !== null);
}

/** Source: proc(5), /proc/PID/stat. */
async function readEntry(pid: string): Promise<ProcessEntry | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name stands in parentheses and may hold any character; the fields follow the last one.
  const end = stat.lastIndexOf(')');
  const [state, , group] = stat.slice(end + 2).split(' ');
  if (end === -1 || state === 'Z' || state === 'X') return null;
  return { pid: Number(pid), group: Number(group), name: stat.slice(stat.indexOf('(') + 1, end) };
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0').includes(mark);
}

/** Where there is no /proc (macOS, BSD). Source: POSIX ps. */
async function fromPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,state=,comm=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, group, state, name] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)/.exec(line) ?? [];
    if (name === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), group: Number(group), name: name.slice(name.lastIndexOf('/') + 1) }];
  });
}
