import { constants as systemConstants } from 'node:os';
import type { ConfinedShell, ShellOutcome, ShellRequest } from '../../core/ports.ts';
import { commandEnvironment } from './command-environment.ts';
import { OutputWindow, type WindowSize } from './output-window.ts';
import { runProcess } from './process.ts';
import { shellProgram } from './shell-program.ts';
import type { SpillStore } from '../files/spill.ts';
import { cleanOutput, decodeOutput, wholeCharacters } from './terminal-text.ts';

/** How much of a command's output a model sees. */
export const COMMAND_WINDOW: WindowSize = { headChars: 2000, tailChars: 8000 };
const PROGRESS_BYTES = 2000;

export interface LocalShellOptions {
  readonly spills: SpillStore;
  readonly environment: NodeJS.ProcessEnv;
}

/** The shell of this machine. Each command starts afresh. */
export function createLocalShell({ spills, environment }: LocalShellOptions): ConfinedShell {
  const env = commandEnvironment(environment);
  return { run: (request) => runCommand(request, spills, env) };
}

async function runCommand(
  request: ShellRequest,
  spills: SpillStore,
  env: Readonly<Record<string, string>>,
): Promise<ShellOutcome> {
  const program = await shellProgram(request.command, spills);
  const window = new OutputWindow(COMMAND_WINDOW, spills);
  const startedAt = performance.now();
  try {
    const end = await runProcess({
      ...program,
      cwd: request.cwd,
      env,
      timeoutMs: request.timeoutMs,
      signal: request.signal,
      onOutput: async (bytes) => {
        request.onOutput?.(cleanOutput(decodeOutput(wholeCharacters(bytes.subarray(-PROGRESS_BYTES)))));
        await window.add(bytes);
      },
    });
    const { text, omittedChars, path } = await window.finish();
    const durationMs = Math.round(performance.now() - startedAt);
    const exitCode = end.exitCode ?? signalExitCode(end.signal);
    return { ...end, output: text, omittedChars, outputPath: path, exitCode, durationMs, shell: program.shell, denials: [] };
  } finally {
    await program.remove();
  }
}

/** What a shell reports of a program that a signal ended: 128 and the number of the signal. */
export function signalExitCode(signal: NodeJS.Signals | null): number | null {
  return signal === null ? null : 128 + systemConstants.signals[signal];
}
