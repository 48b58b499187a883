import { closeSync, fdatasyncSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import {
  type BegunRecord,
  type EffectRecord,
  type JournalRecord,
  parseJournalRecord,
  type ToldRecord,
  type UndoRecord,
} from './undo-record.ts';

/** The file beside a session's own that tells what its calls did to files. Its ending is not that of a session. */
export function undoLogPath(sessionPath: string): string {
  return sessionPath.replace(/\.jsonl$/, '.effects');
}

export type NewRecord = Omit<EffectRecord, 'id'> | Omit<UndoRecord, 'id'> | Omit<BegunRecord, 'id'> | ToldRecord;

/** An append-only file of one JSON value a line, mode 0600. Who appends holds the session. */
export class UndoLog {
  readonly #path: string;
  #records: JournalRecord[] | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** All whole records, in order; none where there is no file. Errors: of the system. */
  records(): readonly JournalRecord[] {
    this.#records ??= readRecords(this.#path);
    return this.#records;
  }

  /** Returns when it is on the disk. Errors: of the system. */
  append(record: NewRecord): void {
    const records = (this.#records ??= readRecords(this.#path));
    const whole: JournalRecord = { id: records.reduce((last, { id }) => Math.max(last, id), 0) + 1, ...record };
    appendLine(this.#path, JSON.stringify(whole));
    records.push(whole);
  }
}

function readRecords(path: string): JournalRecord[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map(parseJournalRecord)
      .filter((record) => record !== null);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

function appendLine(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  try {
    const bytes = Buffer.from(`${isAtLineStart(file) ? '' : '\n'}${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A line that was cut off keeps to itself. */
function isAtLineStart(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
