import { join } from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { SessionState } from '../core/session.ts';
import { isSessionId, missing, readSession, sessionFiles } from '../sessions/read-session.ts';
import { holdSession, releaseSession } from '../sessions/session-lock.ts';
import { readSessionReport, type SessionReport } from '../sessions/session-report.ts';
import { sessionsFolder, type UserFolders } from './user-folders.ts';

export type { SessionReport };

/** The session to go on with, or an empty new one. */
export interface PastSession extends SessionState {
  readonly path: string;
}

interface PastRequest {
  readonly continueLast: boolean;
  readonly resumeId: string | null;
}

/**
 * The session to go on with, held for this process until its log is closed.
 * Errors: AgentError `session_missing`, `session_unreadable`, `session_write_failed` where another process is at it.
 */
export async function pastSession(
  { continueLast, resumeId }: PastRequest,
  folders: UserFolders,
  cwd: string,
): Promise<PastSession> {
  const folder = sessionsFolder(folders, cwd);
  if (resumeId !== null || continueLast) return resumed(await pathOf(resumeId, folder, cwd));
  const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-').slice(0, 19)}-${process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex')}`;
  return { id, path: join(folder, `${id}.jsonl`), messages: [], compaction: null, todos: [], notices: [] };
}

/** What the session of an id came to, or the newest one of a folder. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function reportSession(id: string | null, folders: UserFolders, cwd: string): Promise<SessionReport> {
  return readSessionReport(await pathOf(id, sessionsFolder(folders, cwd), cwd));
}

/** The file of a session, or of the newest one of a folder. Errors: AgentError `session_missing`. */
export function pathOfSession(id: string | null, folders: UserFolders, cwd: string): Promise<string> {
  return pathOf(id, sessionsFolder(folders, cwd), cwd);
}

/** What each session of a folder came to, the newest first, and why some could not be read. */
export async function reportSessions(
  folders: UserFolders,
  cwd: string,
): Promise<{ readonly reports: readonly SessionReport[]; readonly faults: readonly string[] }> {
  const reports: SessionReport[] = [];
  const faults: string[] = [];
  for (const { path } of await sessionFiles(sessionsFolder(folders, cwd))) {
    await readSessionReport(path).then(
      (report) => reports.push(report),
      (thrown: unknown) => faults.push(messageOf(thrown)),
    );
  }
  return { reports, faults };
}

/** The file of an id, or the newest one where none is given. */
async function pathOf(id: string | null, folder: string, cwd: string): Promise<string> {
  if (id !== null) {
    // An id names a file of the folder, never a way out of it.
    if (!isSessionId(id)) throw missing(`There is no session ${id} here.`);
    return join(folder, `${id}.jsonl`);
  }
  const [newest] = await sessionFiles(folder);
  if (newest === undefined) throw missing(`There is no earlier session in ${cwd}.`);
  return newest.path;
}

async function resumed(path: string): Promise<PastSession> {
  // Held before it is read: what another process adds meanwhile would be missing.
  holdSession(path);
  try {
    return { path, ...(await readSession(path)) };
  } catch (thrown) {
    releaseSession(path);
    throw thrown;
  }
}
