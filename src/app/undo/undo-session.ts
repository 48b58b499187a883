import { join } from 'node:path';
import { AgentError, messageOf } from '../../core/errors.ts';
import { ContentStore } from '../../host/effects/content-store.ts';
import { rawPath } from '../../host/effects/raw-path.ts';
import { findSession } from '../../sessions/find-session.ts';
import { missing, sessionFiles } from '../../sessions/read-session.ts';
import { holdSession, releaseSession } from '../../sessions/session-lock.ts';
import { hasLeftovers, redo, undo, type Unfinished, type UndoOutcome } from '../../sessions/undo.ts';
import { foldChanges, isForReaders, renderDiff } from '../../sessions/undo-diff.ts';
import { UndoLog, undoLogPath } from '../../sessions/undo-log.ts';
import { recordedEffects, type UndoChoice } from '../../sessions/undo-plan.ts';
import { type BrokenCall, brokenCalls } from './broken-calls.ts';
import { effectsFolder, sessionsFolder, type UserFolders } from '../user-folders.ts';

export { hasLeftovers };
export type { UndoChoice, Unfinished, UndoOutcome };

/** A session of a folder. A null id is the newest that changed something. */
export interface SessionPlace {
  readonly cwd: string;
  readonly folders: UserFolders;
  /** An id or a name. */
  readonly sessionId: string | null;
}

/** Takes back what a session did. Errors: AgentError `session_missing`, `misuse`, `session_write_failed` where another process is at it. */
export function undoSession(place: SessionPlace, choice: UndoChoice, isDryRun: boolean): Promise<UndoOutcome> {
  return withSession(place, async ({ log, store }) => (await undo(choice, { log, store, isDryRun })) ?? nothing(choice, log));
}

/** Does again what the last undo took back. Errors: the same. */
export function redoSession(place: SessionPlace, isDryRun: boolean): Promise<UndoOutcome> {
  return withSession(place, async ({ log, store }) => {
    const outcome = await redo({ log, store, isDryRun });
    if (outcome !== null) return outcome;
    throw misuse('There is no undo to take back in this session.', 'wield undo undoes first.');
  });
}

/** The calls of the newest session, or of a named one, that its process did not survive: nothing of them is on record. */
export async function brokenCallsOf({ cwd, folders, sessionId }: SessionPlace): Promise<readonly BrokenCall[]> {
  const folder = sessionsFolder(folders, cwd);
  const path = sessionId === null ? (await sessionFiles(folder))[0]?.path : await findSession(folder, sessionId);
  return path === undefined ? [] : brokenCalls(path);
}

/** What a session changed, as a unified diff, undone or not. Errors: AgentError `session_missing`, `misuse`. */
export async function diffSession(place: SessionPlace, choice: UndoChoice): Promise<string> {
  const log = new UndoLog(undoLogPath(await sessionPath(place)));
  const effects = recordedEffects(log.records(), choice);
  if (effects.length === 0) return nothing(choice, log);
  const store = new ContentStore(contentsOf(place));
  const changes = foldChanges(effects.map((effect) => effect.changes)).filter(isForReaders);
  return renderDiff(changes, store, rawPath(place.cwd));
}

export interface OpenSession {
  readonly path: string;
  readonly log: UndoLog;
  readonly store: ContentStore;
}

/** Holds a session while something is done to it. Errors: AgentError `session_missing`, `session_ambiguous`, `session_write_failed`. */
export async function withSession<T>(place: SessionPlace, use: (session: OpenSession) => Promise<T>): Promise<T> {
  const path = await sessionPath(place);
  holdSession(path);
  const store = new ContentStore(contentsOf(place));
  try {
    return await use({ path, log: new UndoLog(undoLogPath(path)), store });
  } finally {
    store.close();
    releaseSession(path);
  }
}

function contentsOf({ folders, cwd }: SessionPlace): string {
  return join(effectsFolder(folders, cwd), 'contents');
}

async function sessionPath({ cwd, folders, sessionId }: SessionPlace): Promise<string> {
  const folder = sessionsFolder(folders, cwd);
  if (sessionId === null) {
    const files = await sessionFiles(folder);
    const changing = files.find(({ path }) => effectsIn(path));
    if (changing === undefined) throw missing(`No session of ${cwd} changed anything that is on record.`);
    return changing.path;
  }
  return findSession(folder, sessionId);
}

function effectsIn(path: string): boolean {
  try {
    return new UndoLog(undoLogPath(path)).records().some(({ type }) => type === 'effect');
  } catch (thrown) {
    throw new AgentError({
      code: 'session_unreadable',
      message: `What a session changed cannot be read from ${undoLogPath(path)}: ${messageOf(thrown)}.`,
      remedy: 'Name another session with --session.',
    });
  }
}

/** Errors: AgentError `misuse`, with what there is to undo. */
function nothing(choice: UndoChoice, log: UndoLog): never {
  const turns = [...new Set(log.records().flatMap((record) => (record.type === 'effect' ? [record.turn] : [])))];
  throw misuse(
    `There is nothing on record ${meaningOf(choice)}.`,
    `${turns.length === 0 ? 'This session changed nothing' : `This session changed something in turn ${turns.join(', ')}`}; --session names another one (wield sessions).`,
  );
}

function meaningOf(choice: UndoChoice): string {
  switch (choice.type) {
    case 'last':
      return 'that is not undone already';
    case 'turn':
      return `of turn ${choice.turn} that is not undone already`;
    case 'call':
      return `of the call ${choice.toolUseId} that is not undone already`;
    case 'to':
      return `after turn ${choice.turn} that is not undone already`;
  }
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
