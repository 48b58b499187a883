import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onOutput(bytes: Uint8Array): void;
}

export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const MAX_STDERR_CHARS = 20_000;

/** The rg that came with the package, or the one on PATH. */
export function ripgrepPath(): string {
  return (cachedPath ??= locate());
}
let cachedPath: string | undefined;

function locate(): string {
  try {
    const require = createRequire(import.meta.url);
    const { rgPath } = require('@vscode/ripgrep') as { rgPath: string };
    return existsSync(rgPath) ? rgPath : 'rg';
  } catch {
    return 'rg';
  }
}

/** Runs rg with no configuration file and hands out its output as it comes. Errors: throws where no rg can be started, and on an abort. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  const end = await spawnRipgrep(run);
  run.signal.throwIfAborted();
  return end;
}

function spawnRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { RIPGREP_CONFIG_PATH: _ignored, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(ripgrepPath(), ['--no-config', ...run.args], { cwd: run.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    let timedOut = false;
    const end = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, run.timeoutMs);
    run.signal.addEventListener('abort', end, { once: true });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += text;
    });
    child.stdout.on('data', (bytes: Buffer) => run.onOutput(bytes));
    const settle = (): void => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (exitCode) => {
      settle();
      resolve({ exitCode, stderr, timedOut });
    });
  });
}
