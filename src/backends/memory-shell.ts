import type { FileAccess, ShellAccess, ShellOutcome, ShellRequest } from '../core/ports.ts';
import { messageOf } from '../core/errors.ts';
import { COMMAND_WINDOW, OutputWindow } from '../host/process/output-window.ts';
import type { FileOutputs } from './file-outputs.ts';

/** A command as a program that stands in for a shell gets it. */
export interface MemoryCommand {
  readonly command: string;
  readonly cwd: string;
  readonly files: FileAccess;
  /** Aborted at the deadline, on an interrupt, and when its job is ended. */
  readonly signal: AbortSignal;
  /** Writes to its output. */
  write(text: string): void;
}

/** Runs a command in place of a shell; gives its exit code. What it throws is its output, with exit code 1. */
export type RunCommand = (command: MemoryCommand) => Promise<number>;

/** A shell without processes: each command is handed to a function. One that does not heed its signal is waited for no longer. */
export function createMemoryShell(
  runCommand: RunCommand,
  { files, outputs }: { readonly files: FileAccess; readonly outputs: FileOutputs },
): ShellAccess {
  return {
    run: async (request) => {
      const window = new OutputWindow(COMMAND_WINDOW, outputs);
      const startedAt = performance.now();
      const end = await endOf(runCommand, request, files, (text) => {
        request.onOutput?.(text);
        return window.add(new TextEncoder().encode(text));
      });
      const { text, omittedChars, path } = await window.finish();
      return outcomeOf(end, {
        output: text,
        omittedChars,
        outputPath: path,
        durationMs: Math.round(performance.now() - startedAt),
      });
    },
  };
}

type End = Pick<ShellOutcome, 'exitCode' | 'timedOut' | 'aborted'>;

async function endOf(
  runCommand: RunCommand,
  { command, cwd, timeoutMs, signal }: ShellRequest,
  files: FileAccess,
  add: (text: string) => Promise<void>,
): Promise<End> {
  const stop = new AbortController();
  let [timedOut, written] = [false, Promise.resolve()];
  const stopped = new Promise<End>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve({ exitCode: null, timedOut, aborted: signal.aborted }));
  });
  const write = (text: string): void => {
    if (!stop.signal.aborted) written = written.then(() => add(text));
  };
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const deadline = setTimeout(() => {
    timedOut = true;
    stop.abort();
  }, timeoutMs);
  if (signal.aborted) stop.abort();
  try {
    const done = stop.signal.aborted ? stopped : exitOf(runCommand, { command, cwd, files, signal: stop.signal, write });
    const end = await Promise.race([done, stopped]);
    await written;
    return end;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    // What it still does is nobody's output any more.
    stop.abort();
  }
}

async function exitOf(runCommand: RunCommand, command: MemoryCommand): Promise<End> {
  try {
    return { exitCode: await runCommand(command), timedOut: false, aborted: false };
  } catch (thrown) {
    command.write(`${messageOf(thrown)}\n`);
    return { exitCode: 1, timedOut: false, aborted: false };
  }
}

function outcomeOf(end: End, shown: Pick<ShellOutcome, 'output' | 'omittedChars' | 'outputPath' | 'durationMs'>): ShellOutcome {
  return { ...end, ...shown, signal: null, ended: [], survivors: [], shell: 'memory', denials: [] };
}
