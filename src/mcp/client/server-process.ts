import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { displayLine } from '../../core/display-text.ts';
import { endWithProgram } from '../../host/process/exit-guard.ts';
import { endFamily } from '../../host/process/process-table.ts';
import { randomName } from '../../host/random-name.ts';
import { MessageLines } from './message-lines.ts';

export interface ProgramToStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Marks all that a server starts, so that what leaves its process group is still found. */
const MARK = 'WIELD_SERVER';
const END_GRACE_MS = 300;
const MAX_LAST_WORDS = 2000;
/** Answers to what a server asks are short; so many mean that it asks and does not read. */
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * A server that is a program of its own, in a process group of its own, which ends with this program. It gets no environment but what it
 * is given, and what it says is bounded: one message by its size and depth, many by their rate.
 */
export class ServerProcess implements Transport {
  readonly #program: ProgramToStart;
  readonly #lines: MessageLines;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #family = { group: 0, mark: '' };
  #release = (): void => undefined;
  #lastWords = '';
  #unreadBytes = 0;
  #fault: string | null = null;
  #ended: Promise<void> | null = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(program: ProgramToStart) {
    this.#program = program;
    this.#lines = new MessageLines({
      // The protocol's own layer checks its shape.
      onMessage: (message) => this.onmessage?.(message as JSONRPCMessage),
      onFault: (fault) => this.#stop(fault),
    });
  }

  // By these two the SDK tells a program from an address: where a program is silent at the first question, it is of an earlier revision.
  readonly stderr = null;

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Why it ended, in words; null while it runs, and where it was closed from here. */
  get epitaph(): string | null {
    return this.#fault;
  }

  start(): Promise<void> {
    const { command, args, cwd, env } = this.#program;
    const mark = randomName();
    const child = spawn(command, [...args], { cwd, env: { ...env, [MARK]: mark }, stdio: 'pipe', detached: true });
    this.#child = child;
    this.#family = { group: child.pid ?? 0, mark: `${MARK}=${mark}` };
    if (child.pid !== undefined) this.#release = endWithProgram(child.pid);
    // Who writes to a server that has gone is told by its end.
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-MAX_LAST_WORDS);
    });
    this.#lines.read(child.stdout);
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#fault ??= `it could not be started: ${error.message}`;
        reject(error);
      });
      child.once('exit', (code, signal) => {
        this.#fault ??= `it ended (${signal ?? `exit code ${code}`})${this.#words()}`;
        void this.close();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable) return Promise.reject(new Error('the server has ended'));
    const line = `${JSON.stringify(message)}\n`;
    // What we ask may be large, and a server that is at work reads it later.
    const bytes = 'method' in message ? 0 : line.length;
    this.#unreadBytes += bytes;
    if (this.#unreadBytes > MAX_UNREAD_BYTES) this.#stop('it asks and does not read the answers');
    return new Promise((resolve) => {
      stdin.write(line, () => {
        this.#unreadBytes -= bytes;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  #stop(fault: string): void {
    this.#fault ??= fault;
    void this.close();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined) {
      child.stdin.end();
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (!isOver) await Promise.race([new Promise((resolve) => child.once('exit', resolve)), sleep(END_GRACE_MS)]);
      await endFamily(this.#family);
      child.stdout.destroy();
      child.stderr.destroy();
    }
    this.#release();
    this.onclose?.();
  }

  #words(): string {
    const last = this.#lastWords.trim().split('\n').slice(-3).join('\n');
    return last === '' ? '' : `; its last words: ${displayLine(last, 300)}`;
  }
}
