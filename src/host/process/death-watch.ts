import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// Its input ends when this program does, however that happens. Until then each line adds a group or takes one away.
const SCRIPT = [
  'groups=',
  'while read -r sign group; do',
  '  left=; for one in $groups; do test "$one" = "$group" || left="$left $one"; done',
  '  groups=$left; test "$sign" = + && groups="$groups $group"',
  'done',
  'for one in $groups; do kill -KILL "-$one"; done',
].join('\n');

/** A small shell beside this program that ends process groups when the program is killed, which nothing within it could do. */
export class DeathWatch {
  readonly #groups = new Set<number>();
  #watcher: ChildProcess | null = null;

  add(group: number): void {
    this.#groups.add(group);
    if (this.#watcher === null) this.#start();
    else this.#tell('+', group);
  }

  remove(group: number): void {
    this.#groups.delete(group);
    this.#tell('-', group);
  }

  /** In a session of its own, so that what ends this program at a terminal does not end it too; it keeps nothing waiting. */
  #start(): void {
    const watcher = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const forget = (): void => {
      if (this.#watcher === watcher) this.#watcher = null;
    };
    // Without it commands run as before; the next one tries again.
    watcher.once('error', forget).once('exit', forget);
    watcher.stdin.on('error', forget);
    watcher.unref();
    // Node types the pipe to a child as a stream only; it is a socket. Source: Node.js, child_process, subprocess.stdin
    (watcher.stdin as unknown as Socket).unref();
    this.#watcher = watcher;
    for (const group of this.#groups) this.#tell('+', group);
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#watcher?.stdin?.write(`${sign} ${group}\n`);
  }
}
