import type { ChildProcess } from 'node:child_process';
import { constants, open } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { randomName } from '../random-name.ts';

/** The shell that starts a program and is replaced by it. */
export interface Starter {
  /** With the arguments that stand before its script. */
  readonly shell: readonly [file: string, ...args: string[]];
  /** What it does first, as to set a limit or to close a file. */
  readonly prelude: string;
  /** Files that it opens for the program, as redirections. */
  readonly opens: string;
  /** What is to be ready before it opens them and runs the program. */
  readonly late?: LateFile;
}

/** A file that is written while the shell starts. */
export interface LateFile {
  readonly path: string;
  /** Writes it. Errors: throws where that fails; then nothing is to run. */
  write(): void;
  /** To be called once, when nobody needs it any more. */
  close(): void;
}

export const PLAIN_STARTER: Starter = { shell: ['/bin/sh', '-c'], prelude: ':', opens: '' };

/**
 * The script of the shell that starts a program: `sh -c SCRIPT PROGRAM PIPE ARGUMENTS…`. It joins the program's two streams into one and
 * is replaced by it. Node would give the program a socket, and on Linux a socket cannot be opened again as /dev/stdout or /dev/stderr,
 * which many scripts do; so the output goes through a named pipe, or the socket where none can be made.
 * To open the pipe waits until we have opened it too, and by then what is late is written; with the socket it is waited for by itself.
 * Source: unix(7), open(2) ENXIO.
 */
export function startScript({ prelude, opens, late }: Starter): string {
  const wait = late === undefined ? '' : `until test -s ${late.path}; do sleep 0.01; done; `;
  return [
    prelude,
    'pipe=$1; shift',
    `if test -n "$pipe" && mkfifo -m 600 "$pipe" 2>/dev/null; then printf p; exec "$0" "$@" >"$pipe" 2>&1 ${opens}; fi`,
    `printf s; ${wait}exec "$0" "$@" 2>&1 ${opens}`,
  ].join('\n');
}

/** Where the pipe of a new call may stand; empty where the system's sockets serve. */
export function newPipePath(): string {
  if (process.platform !== 'linux') return '';
  return join(tmpdir(), `wield-${randomName()}.pipe`);
}

/** The output of a program that `startScript` starts. Errors: throws where the pipe cannot be opened. */
export async function outputOf(child: ChildProcess, pipe: string): Promise<Readable | null> {
  // Piped on at once: when a child exits, Node throws away what nobody reads. Source: lib/internal/child_process.js, flushStdio
  const stdout = child.stdout?.pipe(new PassThrough()) ?? null;
  try {
    if (stdout === null || (await firstByte(stdout)) !== 'p') return stdout;
    // The shell waits for this end; it closes the socket when it has opened the other one, and then nobody needs the name.
    const fd = await promisify(open)(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    await finished(stdout.resume()).catch(() => undefined);
    return new Socket({ fd, readable: true, writable: false });
  } finally {
    if (pipe !== '') await rm(pipe, { force: true });
  }
}

function firstByte(stream: Readable): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (byte: string | null): void => {
      stream.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      resolve(byte);
    };
    const onReadable = (): void => {
      const byte = stream.read(1) as Buffer | null;
      if (byte !== null) settle(byte.toString('latin1'));
    };
    const onEnd = (): void => settle(null);
    stream.on('readable', onReadable).once('end', onEnd).once('close', onEnd);
  });
}
