import type { SessionNote } from '../core/session.ts';
import { openSessionLog } from './session-log.ts';
import { sessionIdOf } from './read-session.ts';

/** Adds one record to a session that is there, and that this process holds. Errors: AgentError `session_write_failed`. */
export async function appendNote(path: string, note: SessionNote): Promise<void> {
  // Its header is in the file already.
  const log = openSessionLog(path, { type: 'session', version: 1, id: sessionIdOf(path), cwd: '', model: '', createdAt: '' });
  log.note(note);
  await log.close();
}
