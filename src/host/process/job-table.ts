import type { Confinement } from '../../core/permission.ts';
import type { ConfinedJobs, Job } from '../../core/ports.ts';
import { commandEnvironment } from './command-environment.ts';
import { COMMAND_WINDOW, type LocalShellOptions, noteDenials, signalExitCode, withOutputs } from './local-shell.ts';
import { OutputWindow } from './output-window.ts';
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

/** The background commands of a session on this machine. They end with `endAll`, at the latest with the program itself. */
export function createJobTable(options: LocalShellOptions): ConfinedJobs {
  const { spills, environment, sandbox } = options;
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
    const job: Job = { id: `job_${entries.size + 1}`, command, state: 'running', exitCode: null };
    const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
    const entry: Entry = { job, window: new OutputWindow(COMMAND_WINDOW, spills), stop, ended };
    entries.set(job.id, entry);
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
      .finally(() => void shell.remove().finally(markEnded));
    return job;
  }

  async function kill(id: string): Promise<Job | null> {
    const entry = entries.get(id);
    if (entry === undefined) return null;
    entry.stop.abort();
    await entry.ended;
    return entry.job;
  }

  return {
    start,
    kill,
    list: () => [...entries.values()].map(({ job }) => job),
    readNew: async (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return null;
      const { window } = entry;
      entry.window = new OutputWindow(COMMAND_WINDOW, spills);
      return { job: entry.job, text: (await window.finish()).text };
    },
    endAll: async () => {
      await Promise.all([...entries.keys()].map(kill));
    },
  };
}
