import { copyFile, mkdir, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { randomName } from '../random-name.ts';

/** One file of a write: what stands beside it while it is under way. Paths are absolute. */
export interface PlannedWrite {
  readonly target: string;
  /** The new content; null deletes. */
  readonly temp: string | null;
  /** The old content, for taking the write back. */
  readonly backup: string | null;
  /** Written into the old file, which has other names, and not put in its place. */
  readonly isInPlace: boolean;
}

/** A write that is on record until it is done. */
export interface JournalEntry {
  /** From here on the write is finished at the next start, not taken back. Durable when it resolves. */
  commit(): Promise<void>;
  /** The write is done or taken back. */
  close(): Promise<void>;
}

interface JournalRecord {
  readonly pid: number;
  readonly isCommitted: boolean;
  readonly writes: readonly PlannedWrite[];
}

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

const NO_ENTRY: JournalEntry = { commit: () => Promise.resolve(), close: () => Promise.resolve() };

/** Keeps track of writes, so that one that was killed is finished or taken back whole at the next start, and leaves no temp file. */
export class WriteJournal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Puts a write on record. One file that is swapped by a rename is whole without a record, so it goes on where none can be made.
   * Errors: JournalUnwritable, also of `commit`; nothing is visible yet.
   */
  async begin(writes: readonly PlannedWrite[]): Promise<JournalEntry> {
    const path = join(this.#folder, `${process.pid}-${randomName(6)}.json`);
    const record: JournalRecord = { pid: process.pid, isCommitted: false, writes };
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(path, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    } catch (cause) {
      await unlink(path).catch(() => undefined);
      if (writes.length === 1 && writes[0]?.isInPlace === false) return NO_ENTRY;
      throw new JournalUnwritable(this.#folder, cause);
    }
    return {
      commit: () =>
        replaceDurably(path, JSON.stringify({ ...record, isCommitted: true })).catch((cause: unknown) => {
          throw new JournalUnwritable(this.#folder, cause);
        }),
      close: () => unlink(path),
    };
  }

  /** Settles what ended processes have left. Safe to call at any time, by several processes at once. */
  async recover(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      if (name.endsWith('.tmp') && !isAlive(Number.parseInt(name, 10))) await unlink(path).catch(() => undefined);
      if (!name.endsWith('.json')) continue;
      const record = parseRecord(await readFile(path, 'utf8').catch(() => ''));
      // A torn record was written before anything else: there is nothing to settle.
      if (record !== null && isAlive(record.pid)) continue;
      for (const write of record?.writes ?? []) await settle(write, record?.isCommitted ?? false);
      await unlink(path).catch(() => undefined);
    }
  }
}

async function settle({ target, temp, backup, isInPlace }: PlannedWrite, isCommitted: boolean): Promise<void> {
  // What is gone already was settled before the process ended.
  if (isCommitted && temp === null) await unlink(target).catch(() => undefined);
  if (isCommitted && temp !== null && isInPlace) await copyFile(temp, target).catch(() => undefined);
  if (isCommitted && temp !== null && !isInPlace) await rename(temp, target).catch(() => undefined);
  for (const left of [temp, backup]) if (left !== null) await unlink(left).catch(() => undefined);
}

async function replaceDurably(path: string, text: string): Promise<void> {
  const temp = `${path}.tmp`;
  const file = await open(temp, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temp, path);
}

function parseRecord(text: string): JournalRecord | null {
  try {
    const record: unknown = JSON.parse(text);
    // Written by us; a file that is not ours has none of its fields.
    return isJsonObject(record) && Array.isArray(record['writes']) ? (record as unknown as JournalRecord) : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
