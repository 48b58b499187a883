import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import type { SessionState } from '../core/session.ts';
import { messageOfRecord, parseRecord, todosOfRecord } from './session-record.ts';

const ENDING = '.jsonl';

/** True for what may name a session: one plain name, no way out of a folder. */
export function isSessionId(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

/**
 * Reads a session as far as it is whole. Its id is its file's name, whatever the file says: folders are named after it.
 * Errors: AgentError `session_missing`, `session_unreadable`.
 */
export async function readSession(path: string): Promise<SessionState> {
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
  return {
    id,
    messages: records.map(messageOfRecord).filter((message) => message !== null),
    todos: records.map(todosOfRecord).findLast((todos) => todos !== null) ?? [],
    notices,
  };
}

/** The newest session in a folder of sessions, or null. */
export async function newestSession(folder: string): Promise<string | null> {
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.endsWith(ENDING) && isSessionId(basename(name, ENDING)),
  );
  const dated = await Promise.all(names.map((name) => datedFile(join(folder, name))));
  const newestFirst = dated.filter((file) => file !== null).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  return newestFirst[0]?.path ?? null;
}

/** The error of a session that is not there. */
export function missing(message: string): AgentError {
  return new AgentError({ code: 'session_missing', message, remedy: 'Leave --continue and --resume out to start a new one.' });
}

/** Null for what is no file: a folder, a FIFO, a link that leads nowhere. */
async function datedFile(path: string): Promise<{ readonly path: string; readonly mtimeMs: number } | null> {
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
