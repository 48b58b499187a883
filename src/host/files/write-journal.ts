import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { randomName } from '../random-name.ts';
import { PathLocks } from './path-lock.ts';
import { type CommittedWrite, finishAll, type PlannedWrite, removeBeside, takeBack } from './planned-write.ts';
import { isRunning, ownProcess, type ProcessIdentity } from '../process/process-identity.ts';
import { statOrNull } from './staging.ts';

/** A write that is on record until it is done. */
export interface JournalEntry {
  /** From here on the write is finished at the next start, not taken back. Durable when it resolves. */
  commit(writes: readonly CommittedWrite[]): Promise<void>;
  /** From here on a committed write is taken back at the next start. Durable when it resolves. */
  revert(writes: readonly CommittedWrite[]): Promise<void>;
  /** The write is done or taken back. A record that cannot be removed is settled once more at a later start, which changes nothing. */
  close(): Promise<void>;
}

/** What recovery is to do with the targets: nothing, finish them, or take them back. */
type JournalState =
  | { readonly state: 'begun'; readonly writes: readonly PlannedWrite[] }
  | { readonly state: 'committed' | 'reverting'; readonly writes: readonly CommittedWrite[] };

type JournalRecord = ProcessIdentity & JournalState;

/** Writes cannot be put on record. It has no system code: that would be taken for one of the file that is to be written. */
export class JournalUnwritable extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `nothing was written, because a write like this one needs a record in ${folder}, and that folder cannot be written (${messageOf(cause)}); tell the person`,
      { cause },
    );
    this.name = 'JournalUnwritable';
  }
}

const done = (): Promise<void> => Promise.resolve();
/** Keeps nothing. */
export const NO_ENTRY: JournalEntry = { commit: done, revert: done, close: done };

/** Keeps track of writes, so that one that was killed is finished or taken back whole at the next start, and leaves no temp file. */
export class WriteJournal {
  readonly #folder: string;
  readonly #locks: PathLocks;

  constructor(folder: string) {
    this.#folder = folder;
    this.#locks = new PathLocks(folder);
  }

  /**
   * Puts a write on record. One file that is swapped by a rename is whole without a record, so it goes on where none can be made.
   * Errors: JournalUnwritable, also of `commit` and `revert`; what stood on record before still does.
   */
  async begin(writes: readonly PlannedWrite[]): Promise<JournalEntry> {
    const path = join(this.#folder, `${process.pid}-${randomName(6)}.json`);
    const owner = ownProcess();
    const unwritable = (cause: unknown): never => {
      throw new JournalUnwritable(this.#folder, cause);
    };
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(path, renderRecord({ ...owner, state: 'begun', writes }), { flag: 'wx', mode: 0o600 });
    } catch (cause) {
      await unlink(path).catch(() => undefined);
      if (writes.length === 1 && writes[0]?.isInPlace === false) return NO_ENTRY;
      return unwritable(cause);
    }
    return {
      commit: (now) => replaceDurably(path, renderRecord({ ...owner, state: 'committed', writes: now })).catch(unwritable),
      revert: (now) => replaceDurably(path, renderRecord({ ...owner, state: 'reverting', writes: now })).catch(unwritable),
      close: () => unlink(path).catch(() => undefined),
    };
  }

  /** Runs while no other process that uses this folder writes these files, by whatever name it has them. Errors: PathBusy. */
  async whileLocked<T>(targets: readonly string[], run: () => Promise<T>): Promise<T> {
    return this.#locks.hold((await Promise.all(targets.map(lockNamesOf))).flat(), run);
  }

  /**
   * Settles what ended processes have left. Safe to call at any time, by several processes at once, and to be ended at any step. What
   * cannot be settled stays on record.
   */
  async recover(): Promise<void> {
    // Looked at in place: mostly there is nothing, and the thread pool would cost a start more than that look.
    const names = existsSync(this.#folder) ? await readdir(this.#folder).catch(() => []) : [];
    for (const name of names) await this.#recoverFrom(name).catch(() => undefined);
  }

  async #recoverFrom(name: string): Promise<void> {
    const path = join(this.#folder, name);
    if (name.endsWith('.lock')) return this.#locks.removeDead(name);
    if (name.endsWith('.json')) return this.#settle(path, name);
    if (name.endsWith('.tmp') && !isMakerRunning(name)) await unlink(path);
  }

  async #settle(path: string, name: string): Promise<void> {
    const record = await readRecord(path);
    if (record === null) {
      // A torn record was written before anything else: there is nothing to settle.
      if (!isMakerRunning(name)) await unlink(path);
      return;
    }
    if (isRunning(record)) return;
    const targets = record.writes.map(({ target }) => target);
    await this.whileLocked(targets, async () => {
      // Another process may have settled it meanwhile.
      const current = await readRecord(path);
      if (current === null) return;
      await settleTargets(current);
      await removeBeside(current.writes);
      await unlink(path);
    });
  }
}

async function settleTargets(record: JournalState): Promise<void> {
  if (record.state === 'committed') await finishAll(record.writes);
  if (record.state === 'reverting') for (const write of record.writes.toReversed()) await takeBack(write);
}

/** A file with several names is one by all of them. */
async function lockNamesOf(target: string): Promise<string[]> {
  const stats = await statOrNull(target).catch(() => null);
  return stats !== null && stats.nlink > 1 ? [target, `${stats.dev}:${stats.ino}`] : [target];
}

async function replaceDurably(path: string, text: string): Promise<void> {
  const temp = `${path}.tmp`;
  try {
    const file = await open(temp, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
  } catch (thrown) {
    await unlink(temp).catch(() => undefined);
    throw thrown;
  }
}

function renderRecord(record: JournalRecord): string {
  return JSON.stringify(record);
}

async function readRecord(path: string): Promise<JournalRecord | null> {
  try {
    const record: unknown = JSON.parse(await readFile(path, 'utf8'));
    // Written by us; a file that is not ours has none of its fields.
    return isJsonObject(record) && Array.isArray(record['writes']) ? (record as unknown as JournalRecord) : null;
  } catch {
    return null;
  }
}

/** The name of a record begins with the number of its process. */
function isMakerRunning(name: string): boolean {
  return isRunning({ pid: Number.parseInt(name, 10), startTime: null });
}
