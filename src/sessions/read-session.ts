import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { Compaction, SessionState } from '../core/session.ts';
import { compactedOfRecord, messageOfRecord, parseRecord, todosOfRecord } from './session-record.ts';

const ENDING = '.jsonl';

/** A session file and when it was last written to. */
export interface SessionFile {
  readonly path: string;
  readonly mtimeMs: number;
}

/** True for what may name a session: one plain name, no way out of a folder. */
export function isSessionId(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

/** The lines of a session file, parsed; null stands for a damaged one. `notices` say which those are. */
export interface SessionRecords {
  readonly id: string;
  readonly records: readonly (JsonObject | null)[];
  readonly notices: readonly string[];
}

/**
 * Reads a session as far as it is whole. Its id is its file's name, whatever the file says: folders are named after it.
 * Errors: AgentError `session_missing`, `session_unreadable`.
 */
export async function readSession(path: string): Promise<SessionState> {
  const { id, records, notices } = await readRecords(path);
  return {
    id,
    messages: records.map(messageOfRecord).filter((message) => message !== null),
    compaction: compactionIn(records),
    todos: records.map(todosOfRecord).findLast((todos) => todos !== null) ?? [],
    notices,
  };
}

/** Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readRecords(path: string): Promise<SessionRecords> {
  const id = basename(path, ENDING);
  // Split at LF alone: U+2028 and the like are data.
  const lines = (await textOfSession(path, id)).split('\n');
  const records = lines.map(parseRecord);
  if (records[0]?.['type'] !== 'session') throw unreadable(`${path} does not begin like a session`);
  const damaged = records.flatMap((record, i) => (record === null && lines[i] !== '' ? [i + 1] : []));
  const notices =
    damaged.length === 0
      ? []
      : [`The session file has ${damaged.length} damaged line(s) (${damaged.slice(0, 5).join(', ')}); all whole ones were read.`];
  return { id, records, notices };
}

/** The session files in a folder, newest first; none where there is no folder. */
export async function sessionFiles(folder: string): Promise<readonly SessionFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.endsWith(ENDING) && isSessionId(basename(name, ENDING)),
  );
  const dated = await Promise.all(names.map((name) => datedFile(join(folder, name))));
  return dated.filter((file) => file !== null).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
}

/** The error of a session that is not there. */
export function missing(message: string): AgentError {
  return new AgentError({
    code: 'session_missing',
    message,
    remedy: 'See what there is with wield sessions; without --continue and --resume a new one starts.',
  });
}

/** The last compaction. It counts messages back from its own line, so that a damaged line far before it shifts nothing. */
function compactionIn(records: SessionRecords['records']): Compaction | null {
  const at = records.findLastIndex((record) => compactedOfRecord(record) !== null);
  const last = compactedOfRecord(records[at] ?? null);
  if (last === null) return null;
  const messageCount = records.slice(0, at).filter((record) => messageOfRecord(record) !== null).length;
  return { summary: last.summary, firstKept: Math.max(0, messageCount - last.keptMessages) };
}

/** Null for what is no file: a folder, a FIFO, a link that leads nowhere. */
async function datedFile(path: string): Promise<SessionFile | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true ? { path, mtimeMs: stats.mtimeMs } : null;
}

async function textOfSession(path: string, id: string): Promise<string> {
  try {
    return await readRegularFile(path);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') throw missing(`There is no session ${id} here.`);
    throw unreadable(`${path} cannot be read as a session: ${messageOf(thrown)}`, thrown);
  }
}

async function readRegularFile(path: string): Promise<string> {
  // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function unreadable(message: string, cause?: unknown): AgentError {
  const remedy = 'Start a new one, or mend the file; it was not touched.';
  return new AgentError({ code: 'session_unreadable', message: `${message}.`, remedy }, { cause });
}
