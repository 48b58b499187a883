import { dirname } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { BUILT_COMMAND } from './built-command.ts';
import type { Scratch } from './e2e/run-wield.ts';
import { createScreen, type Screen } from './screen.ts';

/** The command in a terminal of its own, and the screen as a person sees it. */
export interface PtySession {
  readonly screen: Screen;
  /** All bytes that it wrote. */
  readonly written: string;
  readonly pid: number;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: string): void;
  ended(): Promise<number>;
}

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command to run in place of wield alone; `wield` in it is the command. */
  readonly shell?: string;
  /** Called after each piece of output is on the screen. */
  readonly onFrame?: (screen: Screen) => void;
}

/** Starts wield in a pseudo terminal. */
export function startInPty(scratch: Scratch, args: readonly string[], options: PtyOptions = {}): PtySession {
  const { columns = 80, rows = 24, env = {}, shell, onFrame } = options;
  const screen = createScreen({ columns, rows });
  const words = [process.execPath, BUILT_COMMAND, ...args];
  const wield = words.map((word) => `'${word}'`).join(' ');
  const [program = '', ...rest] = shell === undefined ? words : ['/bin/sh', '-c', shell.replaceAll('wield', wield)];
  const child = spawn(program, rest, {
    cols: columns,
    rows,
    cwd: scratch.root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: scratch.home,
      TERM: 'xterm-256color',
      TERM_PROGRAM: 'vscode',
      ...env,
    },
  });
  let written = '';
  child.onData((data) => {
    written += data;
    void screen.write(data).then(() => onFrame?.(screen));
  });
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    screen,
    get written() {
      return written;
    },
    pid: child.pid,
    type: (keys) => child.write(keys),
    resize: (nextColumns, nextRows) => {
      screen.terminal.resize(nextColumns, nextRows);
      child.resize(nextColumns, nextRows);
    },
    kill: (signal) => child.kill(signal),
    ended: () => ended,
  };
}
