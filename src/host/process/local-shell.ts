import { constants as systemConstants } from 'node:os';
import type { Confinement } from '../../core/permission.ts';
import type { ConfinedShell, ShellOutcome, ShellRequest } from '../../core/ports.ts';
import { denialsIn, type SandboxDenials } from '../sandbox/denials.ts';
import type { EnteredProgram, Sandbox } from '../sandbox/sandbox.ts';
import { existing } from '../sandbox/visible-places.ts';
import { commandEnvironment } from './command-environment.ts';
import { COMMAND_WINDOW, OutputWindow } from './output-window.ts';
import { runProcess } from './process.ts';
import { shellProgram } from './shell-program.ts';
import type { SpillStore } from '../files/spill.ts';
import { cleanOutput, decodeOutput, wholeCharacters } from './terminal-text.ts';

const PROGRESS_BYTES = 2000;

export interface LocalShellOptions {
  readonly spills: SpillStore;
  readonly environment: NodeJS.ProcessEnv;
  /** Asked for when the first command starts: to find out takes a moment. */
  sandbox(): Promise<Sandbox>;
  /** Told what a sandbox kept a command from. */
  onDenied?(command: string, denied: SandboxDenials): void;
}

/** The shell of this machine. Each command starts afresh, in what it was granted. */
export function createLocalShell(options: LocalShellOptions): ConfinedShell {
  return { run: (request, confinement) => runCommand(request, confinement, options) };
}

async function runCommand(request: ShellRequest, confinement: Confinement, options: LocalShellOptions): Promise<ShellOutcome> {
  const { spills, environment, sandbox } = options;
  const shell = await shellProgram(request.command, spills);
  const window = new OutputWindow(COMMAND_WINDOW, spills);
  const startedAt = performance.now();
  try {
    const program = { file: shell.file, args: shell.args, env: commandEnvironment(environment) };
    const entered = await (await sandbox()).enter(program, withOutputs(confinement, spills), request.cwd);
    const end = await runProcess({
      file: entered.file,
      starter: entered.starter,
      args: entered.args,
      env: entered.env,
      cwd: request.cwd,
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
    const failed = entered.isConfined && exitCode !== 0 && !end.aborted;
    const denied = failed ? noteDenials(text, { ...request, confinement, entered }, options) : [];
    return {
      ...end,
      output: text,
      omittedChars,
      outputPath: path,
      exitCode,
      durationMs,
      shell: shell.shell,
      denials: [...entered.refused, ...denied, ...(await entered.planted())],
    };
  } finally {
    await shell.remove();
  }
}

interface FailedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly confinement: Confinement;
  readonly entered: Pick<EnteredProgram, 'mayWrite' | 'isHidden'>;
}

/** What the output of a failed command tells of the sandbox, a sentence each; whoever asked for it is told too. */
export function noteDenials(
  output: string,
  { command, cwd, confinement, entered }: FailedCommand,
  { onDenied }: LocalShellOptions,
): readonly string[] {
  const denied = denialsIn(output, {
    cwd,
    hasNetwork: confinement.network,
    mayWrite: (path) => entered.mayWrite(path),
    isHidden: (path) => entered.isHidden(path),
  });
  if (denied.network || denied.writes.length > 0) onDenied?.(command, denied);
  return denied.notes;
}

/** A command may read what earlier ones wrote at length, and a long command is itself such a file. */
export function withOutputs(confinement: Confinement, spills: SpillStore): Confinement {
  const outputs = existing(spills.folder);
  return outputs === null ? confinement : { ...confinement, readable: [...confinement.readable, outputs] };
}

/** What a shell reports of a program that a signal ended: 128 and the number of the signal. */
export function signalExitCode(signal: NodeJS.Signals | null): number | null {
  return signal === null ? null : 128 + systemConstants.signals[signal];
}
