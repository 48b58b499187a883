import { readlink, rename, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from '../../core/errors.ts';
import { shortHash } from '../../core/hash.ts';
import { randomName } from '../random-name.ts';
import { isRunning, ownProcess, type ProcessIdentity } from '../process/process-identity.ts';

/** Another process has been writing a file for as long as we wait. Nothing was written. */
export class PathBusy extends Error {
  constructor(owner: string, waitedMs: number) {
    const { pid } = parseOwner(owner);
    super(`process ${pid} of this tool has been writing it for ${waitedMs / 1000} seconds; nothing was written, try again later`);
    this.name = 'PathBusy';
  }
}

export interface PathLockOptions {
  /** How long a lock of a running process is waited for. */
  readonly maxWaitMs?: number;
}

const MAX_WAIT_MS = 10_000;
const MAX_PAUSE_MS = 16;

/**
 * Locks on names, between all processes that use the same folder. A lock is a symbolic link there, named by the hash of the name, and
 * what it leads to is `pid:start time` of its process: made whole or not at all, which a file with content is not.
 */
export class PathLocks {
  readonly #folder: string;
  readonly #maxWaitMs: number;

  constructor(folder: string, { maxWaitMs = MAX_WAIT_MS }: PathLockOptions = {}) {
    this.#folder = folder;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs while all the names are locked. Where the folder takes no locks, it runs without. Taken in sorted order, so that two processes
   * never wait for each other. Errors: PathBusy, and what `run` throws.
   */
  async hold<T>(names: readonly string[], run: () => Promise<T>): Promise<T> {
    const paths = [...new Set(names.map((name) => join(this.#folder, `${shortHash(name)}.lock`)))].toSorted();
    const held: string[] = [];
    try {
      for (const path of paths) if (await acquire(path, this.#maxWaitMs)) held.push(path);
      return await run();
    } finally {
      for (const path of held) await release(path);
    }
  }

  /** Removes a lock whose process has ended. */
  async removeDead(fileName: string): Promise<void> {
    const path = join(this.#folder, fileName);
    const owner = await ownerAt(path);
    if (owner !== null && !isRunning(parseOwner(owner)) && (await acquire(path, this.#maxWaitMs))) await release(path);
  }
}

/** False where no lock can be made. */
async function acquire(path: string, maxWaitMs: number): Promise<boolean> {
  const waitEnds = performance.now() + maxWaitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const made = await create(path);
    if (made !== 'taken') return made === 'made';
    const owner = await ownerAt(path);
    // It was released just now.
    if (owner === null) continue;
    const isDead = !isRunning(parseOwner(owner));
    if (isDead && (await takeOver(path, owner, maxWaitMs))) return true;
    if (performance.now() > waitEnds) throw new PathBusy(owner, maxWaitMs);
    // Not in step with others that wait.
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

async function create(path: string): Promise<'made' | 'taken' | 'impossible'> {
  try {
    await symlink(renderOwner(ownProcess()), path);
    return 'made';
  } catch (thrown) {
    return systemCodeOf(thrown) === 'EEXIST' ? 'taken' : 'impossible';
  }
}

/**
 * Puts our name on a dead lock. Who does so holds a lock of that lock, and the dead one stands there until a rename replaces it: so
 * nobody can remove a lock that another has taken over meanwhile. A dead lock of a lock is taken over in the same way.
 */
async function takeOver(path: string, deadOwner: string, maxWaitMs: number): Promise<boolean> {
  const guard = `${path}.lock`;
  if (!(await acquire(guard, maxWaitMs))) return false;
  try {
    if ((await ownerAt(path)) !== deadOwner) return false;
    const fresh = join(dirname(path), `${process.pid}-${randomName(6)}.tmp`);
    await symlink(renderOwner(ownProcess()), fresh);
    await rename(fresh, path);
    return true;
  } finally {
    await release(guard);
  }
}

async function release(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

async function ownerAt(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (thrown) {
    // What is no link was not made by us, and no running process holds it.
    return systemCodeOf(thrown) === 'EINVAL' ? '' : null;
  }
}

function renderOwner({ pid, startTime }: ProcessIdentity): string {
  return `${pid}:${startTime ?? ''}`;
}

function parseOwner(owner: string): ProcessIdentity {
  const [pid, startTime = ''] = owner.split(':');
  return { pid: Number(pid), startTime: startTime === '' ? null : startTime };
}
