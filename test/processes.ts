import { readdirSync, readFileSync } from 'node:fs';

/** True while a process runs; one that has ended and only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '');
  } catch {
    return false;
  }
}

/** True while a process with these words runs. In a sandbox a process has another number than outside, so tests look for its words. */
export function runsCommand(...words: readonly string[]): boolean {
  return readdirSync('/proc').some(
    (pid) => /^\d+$/.test(pid) && isRunning(Number(pid)) && commandLineOf(pid) === `${words.join('\0')}\0`,
  );
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
