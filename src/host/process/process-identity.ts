import { readFileSync } from 'node:fs';
import { systemCodeOf } from '../../core/errors.ts';

/** A process, told apart from a later one that got the same number. `startTime` is null where the system does not tell it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot, as /proc has them. */
  readonly startTime: string | null;
}

/** This process. */
export function ownProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: lifeOf(process.pid)?.startTime ?? null };
}

/** Whether a process can still change anything. One whose number went to another has ended, and so has a zombie. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  // To the kernel 0 and less mean groups. Source: kill(2)
  if (!Number.isInteger(pid) || pid <= 0 || !isThere(pid)) return false;
  const life = lifeOf(pid);
  if (life === null) return true;
  return !life.isZombie && (startTime === null || startTime === life.startTime);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCodeOf(thrown) === 'EPERM';
  }
}

/** Null where there is no /proc. Source: proc(5), /proc/PID/stat, fields 3, 20 and 22. */
function lifeOf(pid: number): { readonly isZombie: boolean; readonly startTime: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold any character; the fields follow the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // While other threads are there, one of them may be in the middle of a write.
    const isZombie = fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[17]) <= 1);
    return { isZombie, startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}
