import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { constants as systemConstants } from 'node:os';
import type { ShellAccess, ShellOutcome, ShellRequest } from '../core/ports.ts';
import { commandEnvironment } from './command-environment.ts';
import { OutputWindow, type WindowSize } from './output-window.ts';
import { runProcess } from './process.ts';
import type { SpillStore } from './spill.ts';
import { cleanOutput, decodeOutput } from './terminal-text.ts';

const WINDOW: WindowSize = { headChars: 2000, tailChars: 8000 };
// One argument of a program may hold 128 KiB on Linux. Source: execve(2), MAX_ARG_STRLEN.
const MAX_ARGUMENT_BYTES = 131_071;

export interface LocalShellOptions {
  readonly spills: SpillStore;
  readonly environment: NodeJS.ProcessEnv;
}

/** The shell of this machine: bash, or sh where there is none. Each command starts afresh. */
export function createLocalShell({ spills, environment }: LocalShellOptions): ShellAccess {
  const env = commandEnvironment(environment);
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));
  return {
    run: async (request) => {
      const script = Buffer.byteLength(request.command) > MAX_ARGUMENT_BYTES ? await scriptFile(spills, request.command) : null;
      try {
        return await runCommand(request, { spills, env, bash: bash ?? null, script });
      } finally {
        if (script !== null) await rm(script, { force: true });
      }
    },
  };
}

interface ShellSetup {
  readonly spills: SpillStore;
  readonly env: Readonly<Record<string, string>>;
  readonly bash: string | null;
  readonly script: string | null;
}

async function runCommand(request: ShellRequest, { spills, env, bash, script }: ShellSetup): Promise<ShellOutcome> {
  const window = new OutputWindow(WINDOW, spills);
  const startedAt = performance.now();
  const source = script === null ? ['-c', request.command] : [script];
  const end = await runProcess({
    file: bash ?? '/bin/sh',
    args: bash === null ? source : ['--norc', '--noprofile', ...source],
    cwd: request.cwd,
    env,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    onOutput: async (bytes) => {
      request.onOutput?.(cleanOutput(decodeOutput(bytes.subarray(-2000))));
      await window.add(bytes);
    },
  });
  const { text, omittedChars, path } = await window.finish();
  return {
    ...end,
    output: text,
    omittedChars,
    outputPath: path,
    exitCode: end.exitCode ?? signalExitCode(end.signal),
    durationMs: Math.round(performance.now() - startedAt),
    shell: bash === null ? 'sh' : 'bash',
  };
}

/** What a shell reports of a program that a signal ended: 128 and the number of the signal. */
function signalExitCode(signal: NodeJS.Signals | null): number | null {
  return signal === null ? null : 128 + systemConstants.signals[signal];
}

async function scriptFile(spills: SpillStore, command: string): Promise<string> {
  const file = await spills.create();
  await file.close();
  await writeFile(file.path, command);
  return file.path;
}
