import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { endMarkedWithProgram, endWithProgram } from './exit-guard.ts';
import { newPipePath, outputOf, PLAIN_STARTER, type Starter, startScript } from './output-pipe.ts';
import { OutputPump } from './output-pump.ts';
import { type EndedProcesses, endFamily, endHolders, isGroupThere, membersOf, type ProcessFamily } from './process-table.ts';
import { randomName } from '../random-name.ts';

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
  /** What starts it, where that has more to do than to start it. */
  readonly starter?: Starter;
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
// What reads the last of a pipeline, as in `make 2> >(tee log)`, ends by itself a moment after the shell.
const LEFTOVER_GRACE_MS = 100;
const POLL_MS = 5;

/**
 * Runs one process in a session of its own, without a terminal and with stdin closed, and waits for that process, not for its pipe:
 * what it leaves behind is ended. Both streams come through one pipe, in order. Where the signal was aborted before, nothing runs.
 * Errors: throws where the process cannot be started, and what `onOutput` threw.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  if (request.signal.aborted) {
    request.starter?.late?.close();
    return NOT_STARTED;
  }
  const value = randomName();
  const mark = `${MARK}=${value}`;
  const pipe = newPipePath();
  const starter = request.starter ?? PLAIN_STARTER;
  const [shell, ...shellArgs] = starter.shell;
  const forgetMark = endMarkedWithProgram(mark);
  try {
    const child = spawn(shell, [...shellArgs, startScript(starter), request.file, pipe, ...request.args], {
      cwd: request.cwd,
      env: { ...request.env, [MARK]: value },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    return await watched(child, { group: child.pid ?? 0, mark }, { request, pipe });
  } finally {
    forgetMark();
    starter.late?.close();
  }
}

interface StartedCall {
  readonly request: ProcessRequest;
  readonly pipe: string;
}

async function watched(child: ChildProcess, family: ProcessFamily, call: StartedCall): Promise<ProcessOutcome> {
  const release = endWithProgram(family.group);
  try {
    writeLate(call.request);
    return await outcomeOf(child, family, call);
  } catch (thrown) {
    if (thrown instanceof LateFault) await endUnstarted(child, family, call);
    throw thrown instanceof LateFault ? thrown.cause : thrown;
  } finally {
    child.stdout?.destroy();
    release();
  }
}

/** What the program needs could not be written, so it must not run. */
class LateFault extends Error {}

/** While the shell starts, there is time for what the program needs to be told. Not to be waited for: a start that fails is told at once. */
function writeLate({ starter }: ProcessRequest): void {
  try {
    starter?.late?.write();
  } catch (cause) {
    throw new LateFault('what is late could not be written', { cause });
  }
}

/** Ends the shell that was to start a program, with its pipe. */
async function endUnstarted(child: ChildProcess, { group }: ProcessFamily, { pipe }: StartedCall): Promise<void> {
  // Where it could not be started at all, there is another error that counts.
  const hasEnded = once(child, 'exit').catch(() => undefined);
  // A child that nobody has waited for keeps its group there.
  if (group > 1 && isGroupThere(group)) process.kill(-group, 'SIGKILL');
  await hasEnded;
  if (pipe !== '') await rm(pipe, { force: true });
}

async function outcomeOf(child: ChildProcess, family: ProcessFamily, { request, pipe }: StartedCall): Promise<ProcessOutcome> {
  const output = new OutputPump(outputOf(child, pipe), request.onOutput);
  const { stopped, ...end } = await waitForEnd(child, request, family);
  const left = await endLeftovers(family);
  // What was written before the end is in the pipe already. Whoever still holds it left the command, and cannot keep the call open.
  const isDrained = await output.drained();
  const holders = isDrained || pipe === '' ? NOBODY : await endHolders(pipe);
  output.stop();
  const survivors = [...new Set([...stopped.survivors, ...left.survivors, ...holders.survivors])];
  const isUnknown = !isDrained && survivors.length === 0 && holders.ended.length === 0;
  return {
    ...end,
    ended: [...stopped.ended, ...left.ended, ...holders.ended],
    survivors: isUnknown ? ['a process that left the command and keeps its output open'] : survivors,
  };
}

const NOBODY: EndedProcesses = { ended: [], survivors: [] };
const NOT_STARTED: ProcessOutcome = { ...NOBODY, exitCode: null, signal: null, timedOut: false, aborted: true };

type End = Pick<ProcessOutcome, 'exitCode' | 'signal' | 'timedOut' | 'aborted'>;

function waitForEnd(
  child: ChildProcess,
  request: ProcessRequest,
  family: ProcessFamily,
): Promise<End & { stopped: EndedProcesses }> {
  return new Promise((resolve, reject) => {
    let cause: 'timedOut' | 'aborted' | null = null;
    let stopping = Promise.resolve(NOBODY);
    const stopBecause = (reason: 'timedOut' | 'aborted'): void => {
      if (cause !== null || child.pid === undefined) return;
      cause = reason;
      stopping = endFamily(family);
    };
    const onAbort = (): void => stopBecause('aborted');
    const timer = request.timeoutMs === null ? undefined : setTimeout(() => stopBecause('timedOut'), request.timeoutMs);
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
      stopping.then(
        (stopped) => resolve({ exitCode, signal, timedOut: cause === 'timedOut', aborted: cause === 'aborted', stopped }),
        reject,
      );
    });
  });
}

async function endLeftovers(family: ProcessFamily): Promise<EndedProcesses> {
  const graceEnds = performance.now() + LEFTOVER_GRACE_MS;
  while (isGroupThere(family.group) && performance.now() < graceEnds) {
    // A zombie that nobody reaps, as in many containers, keeps a group there.
    if ((await membersOf(family)).length === 0) return NOBODY;
    await sleep(POLL_MS);
  }
  return endFamily(family);
}
