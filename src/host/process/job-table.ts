import type { Confinement } from '../../core/permission.ts';
import type { ConfinedJobs, Job, JobOutput } from '../../core/ports.ts';
import { commandEnvironment } from './command-environment.ts';
import { type LocalShellOptions, noteDenials, signalExitCode, withOutputs } from './local-shell.ts';
import { COMMAND_WINDOW, OutputWindow } from './output-window.ts';
import { runProcess } from './process.ts';
import { RingBuffer } from './ring-buffer.ts';
import { shellProgram } from './shell-program.ts';
import { decodeOutput } from './terminal-text.ts';

/** Where a failed job tells what it failed of. */
const TAIL_BYTES = 8000;

interface Entry {
  job: Job;
  window: OutputWindow;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** What a table is told and tells of the jobs of a session over several processes. */
export interface JobHistory {
  /** Those of before; they have ended, and their ids are not given again. */
  readonly past: readonly { readonly id: string; readonly command: string }[];
  started(job: Job): void;
  /** Not called by `endAll`: then the session itself ends. */
  ended(job: Job): void;
}

/** The background commands of a session on this machine. They end with `endAll`, at the latest with the program itself. */
export function createJobTable(options: LocalShellOptions, history: JobHistory | null = null): ConfinedJobs {
  const { spills, environment, sandbox } = options;
  const past = new Map((history?.past ?? []).map(({ id, command }) => [id, endedBefore(id, command)]));
  let isClosing = false;
  const entries = new Map<string, Entry>();

  async function start(
    { command, cwd }: { readonly command: string; readonly cwd: string },
    confinement: Confinement,
  ): Promise<Job> {
    const shell = await shellProgram(command, spills);
    const program = { file: shell.file, args: shell.args, env: commandEnvironment(environment) };
    const entered = await (await sandbox()).enter(program, withOutputs(confinement, spills), cwd);
    const { file, args, env, starter } = entered;
    const stop = new AbortController();
    const job: Job = { id: `job_${past.size + entries.size + 1}`, command, state: 'running', exitCode: null };
    const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
    const entry: Entry = { job, window: new OutputWindow(COMMAND_WINDOW, spills), stop, ended };
    entries.set(job.id, entry);
    history?.started(job);
    const tail = new RingBuffer(TAIL_BYTES);
    const onOutput = (bytes: Uint8Array): Promise<void> => {
      tail.add(bytes);
      return entry.window.add(bytes);
    };
    runProcess({ file, args, env, starter, cwd, timeoutMs: null, signal: stop.signal, onOutput })
      .then(
        async ({ exitCode, signal, aborted }) => {
          const hasFailed = entered.isConfined && exitCode !== 0 && !aborted;
          const denials = hasFailed
            ? noteDenials(decodeOutput(tail.bytes()), { command, cwd, confinement, entered }, options)
            : [];
          for (const note of [...entered.refused, ...denials, ...(await entered.planted())])
            await entry.window.add(Buffer.from(`\n${note}\n`));
          entry.job = { ...job, state: aborted ? 'killed' : 'exited', exitCode: exitCode ?? signalExitCode(signal) };
        },
        async (thrown: unknown) => {
          await entry.window.add(Buffer.from(`The command could not be started: ${String(thrown)}\n`));
          entry.job = { ...job, state: 'exited', exitCode: null };
        },
      )
      .finally(() => {
        if (!isClosing) history?.ended(entry.job);
        void shell.remove().finally(markEnded);
      });
    return job;
  }

  async function kill(id: string): Promise<Job | null> {
    const entry = entries.get(id);
    if (entry === undefined) return past.get(id) ?? null;
    entry.stop.abort();
    await entry.ended;
    return entry.job;
  }

  return {
    start,
    kill,
    list: () => [...past.values(), ...[...entries.values()].map(({ job }) => job)],
    readNew: async (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return pastOutput(past.get(id));
      const { window } = entry;
      entry.window = new OutputWindow(COMMAND_WINDOW, spills);
      return { job: entry.job, text: (await window.finish()).text };
    },
    endAll: async () => {
      isClosing = true;
      await Promise.all([...entries.keys()].map(kill));
    },
  };
}

/** It ended with the process that had started it. */
function endedBefore(id: string, command: string): Job {
  return { id, command, state: 'killed', exitCode: null };
}

/** What it had written went with it. */
function pastOutput(job: Job | undefined): JobOutput | null {
  return job === undefined ? null : { job, text: '' };
}
