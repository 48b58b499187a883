import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { SpillStore } from '../files/spill.ts';

// One argument of a program may hold 128 KiB on Linux. Source: execve(2), MAX_ARG_STRLEN.
const MAX_ARGUMENT_BYTES = 131_071;
const BASH_PATHS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

/** How a command is given to the shell. `remove` takes away what was made for it. */
export interface ShellProgram {
  readonly shell: 'bash' | 'sh';
  readonly file: string;
  readonly args: readonly string[];
  remove(): Promise<void>;
}

/** bash without its start-up files, or sh where there is none; never the user's own shell. A long command goes through a file. */
export async function shellProgram(command: string, spills: SpillStore): Promise<ShellProgram> {
  const bash = BASH_PATHS.find((path) => existsSync(path));
  const script = Buffer.byteLength(command) > MAX_ARGUMENT_BYTES ? await scriptFile(command, spills) : null;
  const source = script === null ? ['-c', command] : [script];
  return {
    shell: bash === undefined ? 'sh' : 'bash',
    file: bash ?? '/bin/sh',
    args: bash === undefined ? source : ['--norc', '--noprofile', ...source],
    remove: async () => {
      if (script !== null) await rm(script, { force: true });
    },
  };
}

async function scriptFile(command: string, spills: SpillStore): Promise<string> {
  const file = await spills.create();
  await file.close();
  await writeFile(file.path, command);
  return file.path;
}
