import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILT_COMMAND } from '../built-command.ts';

const COMPILED = join(dirname(BUILT_COMMAND), '../wield-compiled');

/** A scratch folder with a home of its own, removed by `remove`. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  path(name: string): string;
  remove(): void;
}

/** Makes files in a new folder; the keys are relative paths. */
export function createScratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-e2e-')));
  const root = join(base, 'project');
  const home = join(base, 'home');
  for (const folder of [root, home]) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return { root, home, path: (name) => join(root, name), remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface WieldRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Text to pipe in; null leaves the pipe open. */
  readonly stdin?: string | null;
  /** A program and its arguments that run it in turn. */
  readonly within?: readonly string[];
  /** Called with the pid when it runs. */
  readonly onStart?: (child: {
    readonly pid: number;
    kill(signal: NodeJS.Signals): void;
    onStderr(listener: (text: string) => void): void;
  }) => void;
}

/** Runs the command in a scratch folder, with no key and no settings but what the test gives. */
export function runWield(
  scratch: Scratch,
  args: readonly string[],
  { env = {}, stdin, within = [], onStart }: RunOptions = {},
): Promise<WieldRun> {
  return new Promise((resolve, reject) => {
    const [program = '', ...rest] = [...within, process.execPath, BUILT_COMMAND, ...args];
    const child = spawn(program, rest, {
      cwd: scratch.root,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: scratch.home,
        WIELD_DEBUG: '1',
        // As bin/wield.js does: what V8 has compiled is kept from start to start.
        NODE_COMPILE_CACHE: COMPILED,
        ...env,
      },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    if (typeof stdin === 'string') child.stdin?.end(stdin);
    onStart?.({
      pid: child.pid ?? 0,
      kill: (signal) => void child.kill(signal),
      onStderr: (listener) => void child.stderr?.on('data', (text: string) => listener(text)),
    });
  });
}

/** The environment that sends wield to a server on loopback. */
export function anthropicAt(url: string): Record<string, string> {
  return { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url };
}
