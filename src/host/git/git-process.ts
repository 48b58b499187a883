import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface GitProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Ends the run early where it returns false. */
  onOutput(bytes: Uint8Array): boolean;
}

export interface GitProcessEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const MAX_STDERR_CHARS = 20_000;

/** The git processes that run for one access. What still runs when this program leaves is ended with it. */
export class GitProcesses {
  readonly #running = new Set<ChildProcess>();
  readonly #endAll = (): void => {
    for (const child of this.#running) killGroup(child);
  };

  /**
   * Runs git without a shell, in a process group of its own, with stdin closed; a deadline, an abort or `onOutput` ends the whole group.
   * Errors: throws where it cannot be started.
   */
  async run(request: GitProcessRequest): Promise<GitProcessEnd> {
    const { file, args, cwd, env } = request;
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    if (this.#running.size === 0) process.once('exit', this.#endAll);
    this.#running.add(child);
    try {
      return await waitForEnd(child, request);
    } finally {
      this.#running.delete(child);
      if (this.#running.size === 0) process.off('exit', this.#endAll);
    }
  }
}

function waitForEnd(child: ChildProcessByStdio<null, Readable, Readable>, request: GitProcessRequest): Promise<GitProcessEnd> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    let timedOut = false;
    const end = (): void => {
      killGroup(child);
      // Whoever left the group and still holds a pipe cannot keep the call open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, request.timeoutMs);
    request.signal.addEventListener('abort', end, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', end);
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += text;
    });
    child.stdout.on('data', (bytes: Buffer) => {
      if (!request.onOutput(bytes)) end();
    });
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (exitCode) => {
      settle();
      resolve({ exitCode, stderr, timedOut });
    });
    if (request.signal.aborted) end();
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
