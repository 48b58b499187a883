import { join } from 'node:path';
import type { SessionState } from '../core/session.ts';
import { isSessionId, missing, newestSession, readSession } from '../sessions/read-session.ts';
import { sessionsFolder, type UserFolders } from './user-folders.ts';

/** The session to go on with, or an empty new one. */
export interface PastSession extends SessionState {
  readonly path: string;
}

interface PastRequest {
  readonly continueLast: boolean;
  readonly resumeId: string | null;
}

/** Errors: AgentError `session_missing`, `session_unreadable`. */
export async function pastSession(
  { continueLast, resumeId }: PastRequest,
  folders: UserFolders,
  cwd: string,
): Promise<PastSession> {
  const folder = sessionsFolder(folders, cwd);
  if (resumeId !== null) {
    // An id names a file of the folder, never a way out of it.
    if (!isSessionId(resumeId)) throw missing(`There is no session ${resumeId} here.`);
    return resumed(join(folder, `${resumeId}.jsonl`));
  }
  if (continueLast) {
    const newest = await newestSession(folder);
    if (newest === null) throw missing(`There is no earlier session in ${cwd}.`);
    return resumed(newest);
  }
  const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-').slice(0, 19)}-${process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex')}`;
  return { id, path: join(folder, `${id}.jsonl`), messages: [], todos: [], notices: [] };
}

async function resumed(path: string): Promise<PastSession> {
  return { path, ...(await readSession(path)) };
}
