import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// Its input ends when this program does, however that happens. Until then each line adds a group or a mark, or takes one away.
// Groups are ended at once. What carries a mark may have started a moment ago, or have forked since: it is looked for until nothing is found twice.
const SCRIPT = [
  'known=',
  'while read -r sign name; do',
  '  left=; for one in $known; do test "$one" = "$name" || left="$left $one"; done',
  '  known=$left; test "$sign" = + && known="$known $name"',
  'done',
  'marks=',
  'for one in $known; do case $one in *=*) marks="$marks -e ^$one\\$";; *) kill -KILL "-$one";; esac; done',
  'test -n "$marks" && test -e /proc/self/environ || exit',
  'idle=0; rounds=0',
  'while test $idle -lt 2 && test $rounds -lt 20; do',
  '  idle=$((idle + 1)); rounds=$((rounds + 1))',
  '  for file in $(grep -lsaz $marks /proc/[0-9]*/environ); do',
  '    file=${file#/proc/}; kill -KILL "${file%%/*}" && idle=0',
  '  done',
  '  sleep 0.2',
  'done',
].join('\n');

const MAX_RESTARTS = 10;

/**
 * A small shell beside this program that ends what it runs when the program is killed, which nothing within it could do: process groups,
 * by number, and processes with a mark (`NAME=value`) in their environment, where there is a /proc.
 */
export class DeathWatch {
  readonly #watched = new Set<string>();
  #watcher: ChildProcess | null = null;
  #restarts = 0;

  /** From when this returns it is watched: a mark can be told before anything carries it. */
  add(name: string): void {
    this.#watched.add(name);
    if (this.#watcher === null) this.#start();
    else this.#tell('+', name);
  }

  remove(name: string): void {
    this.#watched.delete(name);
    this.#tell('-', name);
  }

  /** In a session of its own, so that what ends this program at a terminal does not end it too; it keeps nothing waiting. */
  #start(): void {
    const watcher = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const forget = (): void => {
      if (this.#watcher === watcher) this.#watcher = null;
    };
    // Where it cannot be started commands run as before, and the next one tries again.
    watcher.once('error', forget).once('exit', () => {
      forget();
      this.#restart();
    });
    watcher.stdin.on('error', forget);
    watcher.unref();
    // Node types the pipe to a child as a stream only; it is a socket. Source: Node.js, child_process, subprocess.stdin
    (watcher.stdin as unknown as Socket).unref();
    this.#watcher = watcher;
    for (const name of this.#watched) this.#tell('+', name);
  }

  /** What runs is watched again where something ended the watcher; but who ends each one is not fought for ever. */
  #restart(): void {
    if (this.#watcher !== null || this.#watched.size === 0 || this.#restarts === MAX_RESTARTS) return;
    this.#restarts++;
    this.#start();
  }

  #tell(sign: '+' | '-', name: string): void {
    this.#watcher?.stdin?.write(`${sign} ${name}\n`);
  }
}
