import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AgentError, systemCodeOf } from '../core/errors.ts';
import { isRunning, ownProcess, type ProcessIdentity } from '../host/process/process-identity.ts';

const MAX_TRIES = 5;
/** A lock is made and written in one go; one that stays unreadable for longer was left so by a crash. */
const MAX_UNREADABLE_MS = 2000;

// What this program holds belongs to all of it, and so does its end: one listener for all of it.
const held = new Set<string>();

/**
 * Takes a session for this process, so that no other one writes to its file meanwhile; to take it again changes nothing. A holder that has
 * died is taken over. Where no lock can be made, as in a folder that is not writable, nothing is held.
 * Errors: AgentError `session_write_failed` where another process that runs holds it.
 */
export function holdSession(path: string): void {
  const lock = lockOf(path);
  for (let tries = 0; !held.has(lock) && tries < MAX_TRIES; tries++) {
    const made = createLock(lock);
    if (made === 'made') keep(lock);
    else if (made === 'impossible' || !removeDead(lock, path)) return;
  }
  if (!held.has(lock)) throw inUse(path, null);
}

/** Gives back what this process holds of a session. */
export function releaseSession(path: string): void {
  const lock = lockOf(path);
  if (!held.delete(lock)) return;
  if (held.size === 0) process.off('exit', removeAll);
  rmSync(lock, { force: true });
}

/** Whether another process that runs holds a session; nothing is changed. */
export function isHeldByOther(path: string): boolean {
  const lock = lockOf(path);
  if (held.has(lock)) return false;
  const text = textOrNull(lock);
  if (text === null) return false;
  const holder = parseHolder(text);
  return holder === null ? ageOf(lock) <= MAX_UNREADABLE_MS : isRunning(holder);
}

/** The lock file of a session. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

function createLock(lock: string): 'made' | 'there already' | 'impossible' {
  try {
    const { pid, startTime } = ownProcess();
    writeFileSync(lock, JSON.stringify({ pid, startedAt: startTime }), { flag: 'wx', mode: 0o600 });
    return 'made';
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'EEXIST') return 'there already';
    // The disk is full: the file was made and not written.
    if (systemCodeOf(thrown) === 'ENOSPC') rmSync(lock, { force: true });
    return 'impossible';
  }
}

function keep(lock: string): void {
  if (held.size === 0) process.once('exit', removeAll);
  held.add(lock);
}

function removeAll(): void {
  for (const lock of held) rmSync(lock, { force: true });
}

/** Takes a dead holder's lock away; false where that cannot be done. Errors: AgentError `session_write_failed` where the holder lives. */
function removeDead(lock: string, path: string): boolean {
  const text = textOrNull(lock);
  if (text === null) return true;
  const holder = parseHolder(text);
  const isDead = holder === null ? ageOf(lock) > MAX_UNREADABLE_MS : !isRunning(holder);
  if (!isDead) throw inUse(path, holder);
  return takeAway(lock, text);
}

/** Under a name of its own first: meanwhile another process may have done the same and hold the session. */
function takeAway(lock: string, dead: string): boolean {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (textOrNull(aside) !== dead) linkSync(aside, lock);
    rmSync(aside, { force: true });
    return true;
  } catch (thrown) {
    // Another one was faster.
    return systemCodeOf(thrown) === 'ENOENT' || systemCodeOf(thrown) === 'EEXIST';
  }
}

/** Null where it is gone; nothing where it is no text. */
function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    return systemCodeOf(thrown) === 'ENOENT' ? null : '';
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function parseHolder(text: string): ProcessIdentity | null {
  try {
    const { pid, startedAt } = JSON.parse(text) as { readonly pid?: unknown; readonly startedAt?: unknown };
    // To the kernel 0 and less mean groups. Source: kill(2)
    if (typeof pid !== 'number' || pid < 1) return null;
    return { pid, startTime: typeof startedAt === 'string' ? startedAt : null };
  } catch {
    return null;
  }
}

function inUse(path: string, holder: ProcessIdentity | null): AgentError {
  const who = holder === null ? 'another process' : `process ${holder.pid}`;
  return new AgentError({
    code: 'session_write_failed',
    message: `The session ${basename(path, '.jsonl')} is in use by ${who} (${lockOf(path)}).`,
    remedy:
      'Wait until that one has ended, start a new session, or go on in a branch of it: --fork-session, with --continue or --resume. To look at it, wield sessions show works meanwhile.',
  });
}
