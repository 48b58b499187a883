import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { ScratchFile } from './scratch-file.ts';

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes the output in pieces, each valid until it returns. */
  onOutput(bytes: Buffer): void;
}

export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** It was stopped before its end: by the deadline, or because it wrote too much. */
  readonly stoppedBy: 'deadline' | 'flood' | null;
}

const MAX_STDERR_CHARS = 20_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const FLOOD_CHECK_MS = 100;

/** The rg that came with the package, or the one on PATH. */
export function ripgrepPath(): string {
  return (cachedPath ??= locate());
}
let cachedPath: string | undefined;

function locate(): string {
  const require = createRequire(import.meta.url);
  const file = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const ways = [
    // Where it nearly always is; asking the package itself loads a module more.
    () => require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${file}`),
    () => (require('@vscode/ripgrep') as { rgPath: string }).rgPath,
  ];
  return firstPath(ways) ?? 'rg';
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
 * write would wake this process while rg has work for all cores. Errors: throws where no rg can be started, and on an abort.
 */
export async function searchWithRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  const output = new ScratchFile();
  try {
    const end = await spawnRipgrep(run, output.fd, () => output.size());
    for await (const piece of output.pieces()) {
      run.onOutput(piece);
      run.signal.throwIfAborted();
    }
    return end;
  } finally {
    output.close();
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
  return spawnRipgrep({ ...run, args, onOutput }, 'pipe', () => bytes);
}

async function spawnRipgrep(run: RipgrepRun, stdout: 'pipe' | number, written: () => number): Promise<RipgrepEnd> {
  const { RIPGREP_CONFIG_PATH: _ignored, ...env } = process.env;
  const child = spawn(ripgrepPath(), ['--no-config', ...run.args], { cwd: run.cwd, env, stdio: ['ignore', stdout, 'pipe'] });
  let stderr = '';
  let stoppedBy: RipgrepEnd['stoppedBy'] = null;
  const end = (): void => void child.kill('SIGKILL');
  const stop = (reason: 'deadline' | 'flood'): void => {
    stoppedBy = reason;
    end();
  };
  const deadline = setTimeout(() => stop('deadline'), run.timeoutMs);
  const flood = setInterval(() => {
    if (written() > MAX_OUTPUT_BYTES) stop('flood');
  }, FLOOD_CHECK_MS);
  run.signal.addEventListener('abort', end, { once: true });
  child.stdout?.on('data', (bytes: Buffer) => run.onOutput(bytes));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += text;
  });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    run.signal.throwIfAborted();
    return { exitCode, stderr, stoppedBy };
  } finally {
    clearTimeout(deadline);
    clearInterval(flood);
    run.signal.removeEventListener('abort', end);
  }
}
