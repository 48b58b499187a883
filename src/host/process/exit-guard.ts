import { DeathWatch } from './death-watch.ts';

// What runs belongs to the whole program, and so does its end: one listener for all of it.
const running = new Set<number>();
const watch = new DeathWatch();

/** Ends a process group when this program leaves in the middle of it or is killed; there is no time for a grace then. Call the answer when the group has ended. */
export function endWithProgram(group: number): () => void {
  // To the kernel 0 means the caller's own group. Source: kill(2)
  if (group <= 1) return () => undefined;
  if (running.size === 0) process.once('exit', killAll);
  running.add(group);
  watch.add(String(group));
  return () => {
    watch.remove(String(group));
    running.delete(group);
    if (running.size === 0) process.off('exit', killAll);
  };
}

/**
 * Ends all that carries a mark (`NAME=value`) in its environment when this program is killed. To be called before it is started: a
 * program can be killed between the start of another and its next step. Call the answer when all has ended.
 */
export function endMarkedWithProgram(mark: string): () => void {
  watch.add(mark);
  return () => watch.remove(mark);
}

function killAll(): void {
  for (const group of running) killGroup(group);
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
