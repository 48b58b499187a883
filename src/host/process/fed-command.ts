import { open } from 'node:fs/promises';
import type { SpillStore } from '../files/spill.ts';
import { runProcess } from './process.ts';
import { shellProgram } from './shell-program.ts';

/** A shell command that is given a text, in an environment of its own. */
export interface FedRequest {
  readonly command: string;
  /** What it reads on stdin. */
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How it ended, and its two streams apart. */
export interface FedOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** True where it wrote more to stdout than is kept. */
  readonly isCut: boolean;
}

const MAX_BYTES = 256 * 1024;
// The streams of a process come as one; a file of its own keeps stderr apart, and one holds what it reads.
const REDIRECT = 'input=$1 errors=$2; shift 2; exec "$@" <"$input" 2>"$errors"';

/** Runs a shell command of the user's own and hands it a text. It is not confined. Errors: throws where it cannot be started. */
export async function runFedCommand(request: FedRequest, spills: SpillStore): Promise<FedOutcome> {
  const { command, cwd, env, timeoutMs, signal } = request;
  const program = await shellProgram(command, spills);
  const input = await spills.create();
  const errors = await spills.create();
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let isCut = false;
  try {
    await input.write(Buffer.from(request.input));
    const end = await runProcess({
      file: '/bin/sh',
      args: ['-c', REDIRECT, 'sh', input.path, errors.path, program.file, ...program.args],
      cwd,
      env,
      timeoutMs,
      signal,
      onOutput: async (bytes) => {
        const room = bytes.subarray(0, MAX_BYTES - keptBytes);
        isCut ||= room.length < bytes.length;
        keptBytes += room.length;
        if (room.length > 0) kept.push(Uint8Array.from(room));
      },
    });
    const { exitCode, timedOut, aborted } = end;
    const stdout = Buffer.concat(kept).toString('utf8');
    return { exitCode, signal: end.signal, timedOut, aborted, stdout, stderr: await beginningOf(errors.path), isCut };
  } finally {
    await Promise.all([input.discard(), errors.discard(), program.remove()]);
  }
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
