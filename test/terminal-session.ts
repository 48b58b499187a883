import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { BUILT_COMMAND } from './built-command.ts';
import type { Scratch } from './e2e/run-wield.ts';

/** The command in a real terminal. `shown` is all that it drew so far. */
export interface TerminalSession {
  readonly shown: string;
  type(keys: string): void;
  ended(): Promise<void>;
}

/** Whether this machine can make a terminal for a program. */
export function canMakeTerminal(): boolean {
  return process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
}

/** Starts wield in a terminal of its own. */
export function startInTerminal(
  scratch: Scratch,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): TerminalSession {
  const command = [process.execPath, BUILT_COMMAND, ...args].map((word) => `'${word}'`).join(' ');
  const child: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: scratch.root,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: scratch.home, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    get shown() {
      return shown;
    },
    type: (keys) => void child.stdin?.write(keys),
    ended: () => closed,
  };
}
