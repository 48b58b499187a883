import { undo } from '../../sessions/undo.ts';
import { markTold } from './undo-notes.ts';
import { missing, readSession, sessionFiles, sessionIdOf } from '../../sessions/read-session.ts';
import { appendNote } from '../../sessions/append-note.ts';
import { assertCanRewind, type RewindChoice, type RewindOutcome } from './rewind.ts';
import { type SessionPlace, withSession } from './undo-session.ts';
import { sessionsFolder } from '../user-folders.ts';

/**
 * Takes a session that nobody has open back to where a turn had ended. What has changed since in files stays, and is told.
 * Errors: AgentError `misuse`, `session_missing`, `session_ambiguous`, `session_write_failed` where another process is at it.
 */
export async function rewindSession(place: SessionPlace, choice: RewindChoice, isDryRun: boolean): Promise<RewindOutcome> {
  const sessionId = place.sessionId ?? (await newestId(place));
  return withSession({ ...place, sessionId }, async ({ path, log, store }) => {
    const before = await readSession(path);
    assertCanRewind(before, choice);
    const files =
      choice.part === 'conversation' ? null : await undo({ type: 'to', turn: choice.toTurn }, { log, store, isDryRun });
    if (!isDryRun && choice.part === 'both') markTold(log);
    if (!isDryRun && choice.part !== 'files') await appendNote(path, { type: 'rewound', toTurn: choice.toTurn });
    return { choice, turns: before.turns, files, isDryRun };
  });
}

/** Not the newest that changed something: a conversation can go back where no file was touched. */
async function newestId({ folders, cwd }: SessionPlace): Promise<string> {
  const [newest] = await sessionFiles(sessionsFolder(folders, cwd));
  if (newest === undefined) throw missing(`There is no earlier session in ${cwd}.`);
  return sessionIdOf(newest.path);
}
