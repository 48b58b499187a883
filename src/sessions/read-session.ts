import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { SessionState } from '../core/session.ts';
import { salvageLine } from './salvage-line.ts';
import { messageOfRecord, parseRecord } from './session-record.ts';
import { stateOf } from './session-state.ts';

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

/** The id of the session that a file holds. */
export function sessionIdOf(path: string): string {
  return basename(path, ENDING);
}

/** The file of a session in a folder. */
export function sessionFile(folder: string, id: string): string {
  return join(folder, `${id}${ENDING}`);
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
  return { id, ...stateOf(records), notices };
}

/** Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readRecords(path: string): Promise<SessionRecords> {
  return parseSession(path, await sessionText(path));
}

/** The records of a session file that holds a text. Errors: AgentError `session_unreadable` where that is none of a session. */
export function parseSession(path: string, text: string): SessionRecords {
  const id = sessionIdOf(path);
  // Split at LF alone: U+2028 and the like are data.
  const lines = text.split('\n');
  const parsed = lines.map((line, i) => (i === 0 ? headerOf(line) : parseRecord(line)));
  if (!beginsLikeSession(parsed)) throw unreadable(`${path} does not begin like a session`);
  const damaged = parsed.flatMap((record, i) => (record === null && (i === 0 || lines[i] !== '') ? [i] : []));
  if (damaged.length === 0) return { id, records: parsed, notices: [] };
  const records = parsed.flatMap((record, i): readonly (JsonObject | null)[] => {
    const saved = record === null ? salvageLine(lines[i] ?? '') : [];
    return saved.length === 0 ? [record] : saved;
  });
  const shown = damaged.slice(0, 5).map((i) => i + 1);
  const notice = `The session file has ${damaged.length} damaged line(s) (${shown.join(', ')}); all whole ones were read.`;
  // A header that is gone leaves its place.
  return { id, records: parsed[0] === null ? [null, ...records] : records, notices: [notice] };
}

/** Null where the first line is damaged; it may be JSON all the same, of which a letter is gone. */
function headerOf(line: string): JsonObject | null {
  const record = parseRecord(line);
  return record?.['type'] === 'session' ? record : null;
}

/** A first line that is damaged or gone is taken for a header where what follows can only be of a session. */
function beginsLikeSession(parsed: readonly (JsonObject | null)[]): boolean {
  return parsed[0] !== null || parsed.some((record) => messageOfRecord(record) !== null);
}

/** The session files in a folder, newest first; none where there is no folder. */
export async function sessionFiles(folder: string): Promise<readonly SessionFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ENDING) && isSessionId(sessionIdOf(name)));
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

/** Null for what is no file: a folder, a FIFO, a link that leads nowhere. */
async function datedFile(path: string): Promise<SessionFile | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true ? { path, mtimeMs: stats.mtimeMs } : null;
}

/** What a session file holds. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function sessionText(path: string): Promise<string> {
  try {
    return await readRegularFile(path);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') throw missing(`There is no session ${sessionIdOf(path)} here.`);
    throw unreadable(`${path} cannot be read as a session: ${messageOf(thrown)}`, thrown);
  }
}

async function readRegularFile(path: string): Promise<string> {
  // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    // Decoded in one go: piece by piece takes several times as long.
    return (await file.readFile()).toString('utf8');
  } finally {
    await file.close();
  }
}

function unreadable(message: string, cause?: unknown): AgentError {
  const remedy = 'Start a new one, or mend the file; it was not touched.';
  return new AgentError({ code: 'session_unreadable', message: `${message}.`, remedy }, { cause });
}
