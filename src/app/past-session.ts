import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentError, messageOf } from '../core/errors.ts';
import type { SessionState } from '../core/session.ts';
import type { ForkPoint } from '../sessions/fork-session.ts';
import {
  isSessionId,
  missing,
  parseSession,
  readSession,
  sessionFile,
  sessionFiles,
  sessionIdOf,
  sessionText,
} from '../sessions/read-session.ts';
import { holdSession, isHeldByOther, releaseSession } from '../sessions/session-lock.ts';
import { assertSessionWritable } from '../sessions/session-log.ts';
import { readSessionReport, type SessionReport } from '../sessions/session-report.ts';
import { stateOf } from '../sessions/session-state.ts';
import { treeOf } from '../sessions/session-tree.ts';
import { sessionsFolder, type UserFolders } from './user-folders.ts';

export { treeOf };
export type { SessionReport };

/** The session to go on with, or an empty new one. */
export interface PastSession extends SessionState {
  readonly path: string;
  /** Where it leaves another session, which it must begin as; or null. */
  readonly fork: ForkPoint | null;
}

interface PastRequest {
  readonly continueLast: boolean;
  /** An id or a name. */
  readonly resumeId: string | null;
  /** The id of a new session. */
  readonly sessionId: string | null;
  /** Leaves the session to go on with as it is, and goes on in a new one. */
  readonly forkSession: boolean;
}

const MAX_ID_CHARS = 100;

/**
 * The session to go on with, held for this process until its log is closed.
 * Errors: AgentError `misuse`, `session_missing`, `session_ambiguous`, `session_taken`, `session_unreadable`, `session_write_failed` where
 * another process is at it.
 */
export async function pastSession(request: PastRequest, folders: UserFolders, cwd: string): Promise<PastSession> {
  const { continueLast, resumeId, sessionId, forkSession } = request;
  const folder = sessionsFolder(folders, cwd);
  const goesOn = resumeId !== null || continueLast;
  if (goesOn && !forkSession) {
    if (sessionId !== null)
      throw misuse('A session that goes on has its id already.', 'Leave out --session-id, or add --fork-session.');
    return resumed(await pathOf(resumeId, folder, cwd));
  }
  if (forkSession && !goesOn) throw misuse('There is nothing to fork from.', '--fork-session goes with --continue or --resume.');
  // Looked for first: a name that means nothing must not leave a lock behind.
  const parentPath = forkSession ? await pathOf(resumeId, folder, cwd) : null;
  const path = sessionId === null ? sessionFile(folder, newId()) : await takeId(sessionId, folder);
  return parentPath === null
    ? { id: sessionIdOf(path), path, fork: null, ...stateOf([]), notices: [] }
    : forkedFrom(parentPath, path);
}

function newId(): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-').slice(0, 19);
  return `${time}-${process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex')}`;
}

/** Holds the file of a new session; its id is not to be that of any session of any folder, since folders of ours are named after it. */
async function takeId(id: string, folder: string): Promise<string> {
  if (!isSessionId(id) || id.length > MAX_ID_CHARS)
    throw misuse(`${id} cannot be the id of a session.`, `An id is of letters, digits, _, - and ., at most ${MAX_ID_CHARS}.`);
  const path = sessionFile(folder, id);
  await assertSessionWritable(path);
  const places = await readdir(dirname(folder)).catch(() => []);
  if (places.some((place) => existsSync(sessionFile(join(dirname(folder), place), id))) || isHeldByOther(path)) throw taken(id);
  holdSession(path);
  // Another process may have made it while it was not held.
  if (!existsSync(path)) return path;
  releaseSession(path);
  throw taken(id);
}

async function forkedFrom(parentPath: string, path: string): Promise<PastSession> {
  const text = await sessionText(parentPath);
  const { id: parentId, records, notices } = parseSession(parentPath, text);
  const state = stateOf(records);
  const turn = state.turns.at(-1)?.number ?? 0;
  return {
    id: sessionIdOf(path),
    path,
    fork: { parentPath, parentId, text, turn, turnCount: state.turnCount },
    ...state,
    // They were given to the parent.
    rules: [],
    notices: [...notices, `A branch of the session ${parentId}, after turn ${turn}; that one stays as it is.`],
  };
}

function taken(id: string): AgentError {
  return new AgentError({
    code: 'session_taken',
    message: `There is a session ${id} already.`,
    remedy: 'Give another id, or go on with that one: --resume, in its folder.',
  });
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
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

const MAX_RECENT = 20;

/** The newest sessions of a folder, the newest first; what cannot be read is left out. Errors: AgentError `session_missing` where there are none. */
export async function recentSessions(
  folders: UserFolders,
  cwd: string,
): Promise<readonly (SessionReport & { readonly mtimeMs: number })[]> {
  const files = (await sessionFiles(sessionsFolder(folders, cwd))).slice(0, MAX_RECENT);
  const reports = await Promise.all(
    files.map(({ path, mtimeMs }) =>
      readSessionReport(path).then(
        (report) => ({ ...report, mtimeMs }),
        () => null,
      ),
    ),
  );
  const readable = reports.filter((report) => report !== null);
  if (readable.length === 0) throw missing(`There is no earlier session in ${cwd}.`);
  return readable;
}

/** The file of the session that an id or a name means, or the newest one where none is given. */
async function pathOf(meant: string | null, folder: string, cwd: string): Promise<string> {
  // Loaded only where it is asked for: the first request does not wait for it.
  if (meant !== null) return (await import('../sessions/find-session.ts')).findSession(folder, meant);
  const [newest] = await sessionFiles(folder);
  if (newest === undefined) throw missing(`There is no earlier session in ${cwd}.`);
  return newest.path;
}

async function resumed(path: string): Promise<PastSession> {
  // Held before it is read: what another process adds meanwhile would be missing.
  holdSession(path);
  try {
    return { path, fork: null, ...(await readSession(path)) };
  } catch (thrown) {
    releaseSession(path);
    throw thrown;
  }
}
