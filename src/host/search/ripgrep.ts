import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { commandEnvironment } from '../process/command-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { ScratchFile } from './scratch-file.ts';

export interface RipgrepRun {
  /** The path of rg. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes the output in pieces, each valid until it returns. */
  onOutput(bytes: Buffer): void;
}

/** Thrown where no rg can run on this machine; `reason` is the system's code, or how it ended. */
export class NoRipgrep extends Error {
  readonly reason: string;

  constructor(program: string, reason: string) {
    super(`${program} cannot run (${reason})`);
    this.name = 'NoRipgrep';
    this.reason = reason;
  }
}

export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** It was stopped before its end: by the deadline, or because it wrote too much. */
  readonly stoppedBy: 'deadline' | 'flood' | null;
}

const MAX_STDERR_BYTES = 20_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const FLOOD_CHECK_MS = 100;
const PROBE_TIMEOUT_MS = 5000;
// No binary for this platform, none at all, or a file system from which nothing is run.
const CANNOT_START: readonly unknown[] = ['ENOENT', 'EACCES', 'EPERM', 'ENOEXEC', 'ENOTDIR', 'UNKNOWN'];

/** The rg that came with the package, or the one on PATH that lies in none of the folders which a model may write. */
export function ripgrepPath(roots: readonly string[] = []): string {
  return (packagedPath ??= ripgrepOfPackage()) ?? findProgram('rg', { environment: process.env, roots }) ?? NOWHERE;
}
let packagedPath: string | null | undefined;
// Never only "rg": that would be looked for in whatever PATH names.
const NOWHERE = '/nowhere/rg';

function ripgrepOfPackage(): string | null {
  const require = createRequire(import.meta.url);
  const file = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const ways = [
    // Where it nearly always is; asking the package itself loads a module more.
    () => require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${file}`),
    () => (require('@vscode/ripgrep') as { rgPath: string }).rgPath,
  ];
  return firstPath(ways);
}

function firstPath(ways: readonly (() => string)[]): string | null {
  for (const way of ways) {
    try {
      const path = way();
      if (existsSync(path)) return path;
    } catch {
      // Not this way.
    }
  }
  return null;
}

/**
 * Runs rg for what it finds in files, and hands that out when it has ended. rg writes once for each file: through a pipe every small
 * write would wake this process while rg has work for all cores. Errors: throws `NoRipgrep`, and on an abort.
 */
export async function searchWithRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  const output = new ScratchFile();
  // A pipe would cost this process a socket, and complaints are read at the end only.
  const complaints = new ScratchFile();
  try {
    const ended = await spawnRipgrep(run, [output.fd, complaints.fd], () => output.size() + complaints.size());
    const end = sureEnd(run, { ...ended, stderr: complaints.head(MAX_STDERR_BYTES) });
    for await (const piece of output.pieces()) {
      run.onOutput(piece);
      run.signal.throwIfAborted();
    }
    return end;
  } finally {
    output.close();
    complaints.close();
  }
}

/**
 * Runs `rg --files`, which writes in large pieces, and hands them out as they come. One core is left to whoever takes them: rg's own
 * threads wait for each other by spinning. Errors: as for a search.
 */
export async function listWithRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  let bytes = 0;
  const args = ['--files', '--null', `--threads=${Math.max(1, availableParallelism() - 1)}`, ...run.args];
  const onOutput = (piece: Buffer): void => {
    bytes += piece.length;
    run.onOutput(piece);
  };
  return sureEnd(run, await spawnRipgrep({ ...run, args, onOutput }, ['pipe', 'pipe'], () => bytes));
}

/** How the process ended, by a signal too. */
interface ProcessEnd extends RipgrepEnd {
  readonly signal: string | null;
}

async function spawnRipgrep(run: RipgrepRun, outputs: readonly ('pipe' | number)[], written: () => number): Promise<ProcessEnd> {
  const child = await startRipgrep(run, ['ignore', ...outputs]);
  let stderr = '';
  let stoppedBy: RipgrepEnd['stoppedBy'] = null;
  const kill = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'deadline' | 'flood'): void => {
    stoppedBy = reason;
    kill();
  };
  const deadline = setTimeout(() => stop('deadline'), run.timeoutMs);
  const flood = setInterval(() => {
    if (written() > MAX_OUTPUT_BYTES) stop('flood');
  }, FLOOD_CHECK_MS);
  run.signal.addEventListener('abort', kill, { once: true });
  child.stdout?.on('data', (bytes: Buffer) => run.onOutput(bytes));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR_BYTES) stderr += text;
  });
  try {
    const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
    run.signal.throwIfAborted();
    return { exitCode, signal, stderr, stoppedBy };
  } finally {
    clearTimeout(deadline);
    clearInterval(flood);
    run.signal.removeEventListener('abort', kill);
  }
}

async function startRipgrep({ program, args, cwd }: RipgrepRun, stdio: StdioOptions): Promise<ChildProcess> {
  const env = commandEnvironment(process.env);
  try {
    const child = spawn(program, ['--no-config', ...args], { cwd, env, stdio });
    if (child.pid === undefined) await once(child, 'spawn');
    return child;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // A working folder that is gone fails with the same codes.
    throw CANNOT_START.includes(code) && !canRun(program) ? new NoRipgrep(program, String(code)) : thrown;
  }
}

/** The end of an rg that could run. Errors: throws `NoRipgrep`. */
function sureEnd({ program }: RipgrepRun, { signal, ...end }: ProcessEnd): RipgrepEnd {
  if (!isOwnEnd(end) && !canRun(program)) throw new NoRipgrep(program, signal ?? `exit code ${end.exitCode}`);
  return end;
}

/** Whether rg itself ended so. The binary of another platform is handed to sh, which ends with 126, 127, or 2. Source: execvp(3), ENOEXEC */
function isOwnEnd({ exitCode, stderr, stoppedBy }: RipgrepEnd): boolean {
  if (stoppedBy !== null || exitCode === 0 || exitCode === 1) return true;
  return exitCode === 2 && stderr.startsWith('rg: ');
}

function canRun(program: string): boolean {
  return (
    spawnSync(program, ['--version'], { cwd: '/', env: commandEnvironment(process.env), timeout: PROBE_TIMEOUT_MS }).status === 0
  );
}
