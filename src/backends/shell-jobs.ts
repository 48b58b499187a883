import { messageOf } from '../core/errors.ts';
import type { Confinement } from '../core/permission.ts';
import type { ConfinedJobs, ConfinedShell, Job } from '../core/ports.ts';

// As much as a call shows of an output.
const MAX_KEPT_CHARS = 10_000;
/** The longest wait that a timer takes: about 24 days. */
const NO_DEADLINE_MS = 2 ** 31 - 1;

interface Entry {
  job: Job;
  unread: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Background commands on any shell that tells its output as it comes. Of what nobody reads the last 10,000 characters are kept. */
export function createShellJobs(shell: ConfinedShell): ConfinedJobs {
  const entries = new Map<string, Entry>();

  function start({ command, cwd }: { readonly command: string; readonly cwd: string }, confinement: Confinement): Job {
    const stop = new AbortController();
    const job: Job = { id: `job_${entries.size + 1}`, command, state: 'running', exitCode: null };
    const request = { command, cwd, timeoutMs: NO_DEADLINE_MS, signal: stop.signal, onOutput: (text: string) => add(text) };
    // It begins once its entry is there to take what it writes.
    const ended = Promise.resolve()
      .then(() => shell.run(request, confinement))
      .then(
        ({ exitCode, aborted }) => void (entry.job = { ...job, state: aborted ? 'killed' : 'exited', exitCode }),
        (thrown: unknown) => {
          add(`The command could not be started: ${messageOf(thrown)}\n`);
          entry.job = { ...job, state: 'exited' };
        },
      );
    const entry: Entry = { job, unread: '', stop, ended };
    const add = (text: string): void => {
      entry.unread = `${entry.unread}${text}`.slice(-MAX_KEPT_CHARS);
    };
    entries.set(job.id, entry);
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
    start: async (request, confinement) => start(request, confinement),
    kill,
    list: () => [...entries.values()].map(({ job }) => job),
    readNew: async (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return null;
      const text = entry.unread;
      entry.unread = '';
      return { job: entry.job, text };
    },
    endAll: async () => {
      await Promise.all([...entries.keys()].map(kill));
    },
  };
}
