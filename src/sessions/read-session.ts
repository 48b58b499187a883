import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, systemCodeOf } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { Message } from '../core/message.ts';
import type { SessionState } from '../core/session.ts';
import type { Todo } from '../core/todo-list.ts';

/** Reads a session as far as it is whole. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readSession(path: string): Promise<SessionState> {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    if (systemCodeOf(thrown) === 'ENOENT') throw missing(`There is no session ${basename(path, '.jsonl')} here.`);
    throw thrown;
  });
  // Split at LF alone: U+2028 and the like are data.
  const lines = text.split('\n');
  const records = lines.map(parseLine);
  const header = records[0];
  if (header?.['type'] !== 'session') {
    throw new AgentError({
      code: 'session_unreadable',
      message: `${path} does not begin like a session.`,
      remedy: 'Start a new one, or mend the file; it was not touched.',
    });
  }
  const damaged = records.flatMap((record, i) => (record === null && lines[i] !== '' ? [i + 1] : []));
  const notices =
    damaged.length === 0
      ? []
      : [`The session file has ${damaged.length} damaged line(s) (${damaged.slice(0, 5).join(', ')}); all whole ones were read.`];
  return { id: String(header['id']), messages: records.flatMap(messageOfRecord), todos: lastTodos(records), notices };
}

/** The newest session in a folder of sessions, or null. */
export async function newestSession(folder: string): Promise<string | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const dated = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), mtimeMs: (await stat(join(folder, name))).mtimeMs })),
  );
  return dated.toSorted((a, b) => b.mtimeMs - a.mtimeMs)[0]?.path ?? null;
}

/** The error of a session that is not there. */
export function missing(message: string): AgentError {
  return new AgentError({ code: 'session_missing', message, remedy: 'Leave --continue and --resume out to start a new one.' });
}

function parseLine(line: string): JsonObject | null {
  try {
    const record: unknown = JSON.parse(line);
    return isJsonObject(record) ? record : null;
  } catch {
    return null;
  }
}

function lastTodos(records: readonly (JsonObject | null)[]): readonly Todo[] {
  const list = records.findLast((record) => record?.['type'] === 'todos')?.['list'];
  return Array.isArray(list) ? (list as Todo[]) : [];
}

function messageOfRecord(record: JsonObject | null): Message[] {
  const message = record?.['type'] === 'message_added' ? record['message'] : null;
  const isMessage =
    isJsonObject(message) && Array.isArray(message['content']) && (message['role'] === 'user' || message['role'] === 'assistant');
  // Written by us, line by line; its shape was checked as far as the history needs it.
  return isMessage ? [message as unknown as Message] : [];
}
