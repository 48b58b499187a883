import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** Runs rg with no configuration file and hands out what it wrote. Errors: throws where no rg can be started, and on an abort. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  // Not a pipe: rg writes once for each file, and every small write would wake this process while rg has work for all cores.
  const output = new ScratchFile();
  try {
    const end = await spawnRipgrep(run, output);
    run.signal.throwIfAborted();
    for await (const piece of output.pieces()) {
      run.onOutput(piece);
      run.signal.throwIfAborted();
    }
    return end;
  } finally {
    output.close();
  }
}

function spawnRipgrep(run: RipgrepRun, output: ScratchFile): Promise<RipgrepEnd> {
  const { RIPGREP_CONFIG_PATH: _ignored, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(ripgrepPath(), ['--no-config', ...run.args], { cwd: run.cwd, env, stdio: ['ignore', output.fd, 'pipe'] });
    let stderr = '';
    let stoppedBy: RipgrepEnd['stoppedBy'] = null;
    const end = (): void => void child.kill('SIGKILL');
    const stop = (reason: 'deadline' | 'flood'): void => {
      stoppedBy = reason;
      end();
    };
    const deadline = setTimeout(() => stop('deadline'), run.timeoutMs);
    const flood = setInterval(() => {
      if (output.size() > MAX_OUTPUT_BYTES) stop('flood');
    }, FLOOD_CHECK_MS);
    run.signal.addEventListener('abort', end, { once: true });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += text;
    });
    const settle = (): void => {
      clearTimeout(deadline);
      clearInterval(flood);
      run.signal.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (exitCode) => {
      settle();
      resolve({ exitCode, stderr, stoppedBy });
    });
  });
}
