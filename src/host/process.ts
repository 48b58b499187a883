import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcesses, isGroupAlive, processesMarked, processesOfGroup } from './process-table.ts';

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The next bytes are read when this has resolved, so that a flood waits. */
  onOutput(bytes: Uint8Array): Promise<void>;
}

/** How a process ended. */
export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly ended: readonly string[];
  readonly survivors: readonly string[];
}

/** Marks all that a call starts, so that what leaves its process group is still found. */
const MARK = 'WIELD_CALL';
const DRAIN_MS = 200;

/**
 * Runs one process in a session of its own, without a terminal and with stdin closed, and waits for that process, not for its pipe:
 * what it leaves behind is ended. Both streams come through one pipe, in order.
 * Errors: throws where the process cannot be started.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const mark = `${MARK}=${process.getBuiltinModule('node:crypto').randomBytes(8).toString('hex')}`;
  const child = start(request, mark);
  const endWithUs = (): void => killGroup(child);
  process.once('exit', endWithUs);
  const output = new OutputPump(child, request.onOutput);
  const end = await waitForEnd(child, request, mark);
  const grouped = isGroupAlive(child.pid ?? 0) ? await endProcesses(() => ourProcesses(child, mark)) : NOBODY;
  // What was written before the end is in the pipe already. Whoever still holds it has left the group, and cannot keep the call open.
  const strayed = (await output.drained(DRAIN_MS)) ? NOBODY : await endProcesses(() => processesMarked(mark));
  output.stop();
  process.off('exit', endWithUs);
  return { ...end, ended: [...grouped.ended, ...strayed.ended], survivors: [...grouped.survivors, ...strayed.survivors] };
}

/** When this program leaves in the middle of a command there is no time for a grace. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

const NOBODY = { ended: [], survivors: [] };

function start(request: ProcessRequest, mark: string): ChildProcess {
  const [name = MARK, value = ''] = mark.split('=');
  // The inner shell joins the two streams before the program starts; it is replaced by it.
  return spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', request.file, ...request.args], {
    cwd: request.cwd,
    env: { ...request.env, [name]: value },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
}

type End = Pick<ProcessOutcome, 'exitCode' | 'signal' | 'timedOut' | 'aborted'>;

function waitForEnd(child: ChildProcess, request: ProcessRequest, mark: string): Promise<End> {
  return new Promise((resolve, reject) => {
    let cause: 'timedOut' | 'aborted' | null = null;
    const stopBecause = (reason: 'timedOut' | 'aborted'): void => {
      cause ??= reason;
      void endProcesses(() => ourProcesses(child, mark));
    };
    const onAbort = (): void => stopBecause('aborted');
    const timer = setTimeout(() => stopBecause('timedOut'), request.timeoutMs);
    request.signal.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (exitCode, signal) => {
      settle();
      resolve({ exitCode, signal, timedOut: cause === 'timedOut', aborted: cause === 'aborted' });
    });
    if (request.signal.aborted) onAbort();
  });
}

async function ourProcesses(child: ChildProcess, mark: string): ReturnType<typeof processesMarked> {
  const [group, marked] = await Promise.all([processesOfGroup(child.pid ?? 0), processesMarked(mark)]);
  const known = new Set(group.map((entry) => entry.pid));
  return [...group, ...marked.filter((entry) => !known.has(entry.pid))];
}

/** Moves a child's output to its reader, chunk by chunk. */
class OutputPump {
  readonly #child: ChildProcess;
  readonly #done: Promise<void>;

  constructor(child: ChildProcess, onOutput: (bytes: Uint8Array) => Promise<void>) {
    this.#child = child;
    this.#done = this.#pump(onOutput);
  }

  /** True when the pipe was closed and read to its end within the time. */
  drained(ms: number): Promise<boolean> {
    const late = new AbortController();
    const timeout = sleep(ms, false, { signal: late.signal }).catch(() => false);
    return Promise.race([this.#done.then(() => true), timeout]).finally(() => late.abort());
  }

  stop(): void {
    this.#child.stdout?.destroy();
  }

  async #pump(onOutput: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    try {
      for await (const bytes of this.#child.stdout ?? []) await onOutput(bytes as Uint8Array);
    } catch {
      // The pipe was destroyed by stop().
    }
  }
}
