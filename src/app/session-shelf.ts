import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, messageOf } from '../core/errors.ts';
import { appendNote } from '../sessions/append-note.ts';
import { chooseOld, type Retention } from '../sessions/choose-old.ts';
import { findSession } from '../sessions/find-session.ts';
import { nameIn } from '../sessions/session-name.ts';
import { readRecords, sessionFile, sessionFiles, sessionIdOf, sessionText } from '../sessions/read-session.ts';
import { type Removal, removeSessions, type SessionPlaces } from '../sessions/remove-sessions.ts';
import { type SearchHit, searchSession } from '../sessions/search-session.ts';
import { holdSession, isHeldByOther, releaseSession } from '../sessions/session-lock.ts';
import { parentOf } from '../sessions/session-state.ts';
import { effectsFolder, sessionsFolder, type UserFolders } from './user-folders.ts';

export type { Removal, Retention, SearchHit };

/** The folder whose sessions are meant. */
export interface ShelfPlace {
  readonly cwd: string;
  readonly folders: UserFolders;
}

const MAX_NAME_CHARS = 80;
const DAY_MS = 86_400_000;

export interface NamedSession {
  readonly id: string;
  readonly name: string;
}

/** Gives a session a name. It stays as old as it is. Errors: AgentError `misuse`, `session_missing`, `session_ambiguous`, `session_write_failed`. */
export async function renameSession(place: ShelfPlace, meant: string, name: string): Promise<NamedSession> {
  const wanted = name.trim().replaceAll(/\s+/g, ' ');
  if (wanted === '' || wanted.length > MAX_NAME_CHARS || /\p{C}/u.test(wanted))
    throw new AgentError({
      code: 'misuse',
      message: 'That cannot be the name of a session.',
      remedy: `A name is of 1 to ${MAX_NAME_CHARS} characters that can be seen.`,
    });
  const path = await findSession(sessionsFolder(place.folders, place.cwd), meant);
  holdSession(path);
  try {
    const { atime, mtime } = await stat(path);
    await appendNote(path, { type: 'session_named', name: wanted });
    await utimes(path, atime, mtime);
  } finally {
    releaseSession(path);
  }
  return { id: sessionIdOf(path), name: wanted };
}

/** What a search found in one session. */
export interface FoundIn {
  readonly id: string;
  readonly hits: readonly SearchHit[];
}

/** Looks through prompts and answers of all sessions, the newest first. `faults` say which could not be read. */
export async function searchSessions(
  { cwd, folders }: ShelfPlace,
  text: string,
): Promise<{ readonly found: readonly FoundIn[]; readonly faults: readonly string[] }> {
  if (text.trim() === '')
    throw new AgentError({ code: 'misuse', message: 'There is nothing to search for.', remedy: 'Give a word.' });
  const files = await sessionFiles(sessionsFolder(folders, cwd));
  const paths = new Set(files.map(({ path }) => path));
  const found: FoundIn[] = [];
  const faults: string[] = [];
  for (const { path } of files) {
    try {
      const { id, records } = await readRecords(path);
      const parent = parentOf(records[0] ?? null);
      const ownOnly = parent !== null && paths.has(sessionFile(sessionsFolder(folders, cwd), parent.id));
      const hits = searchSession(records, text, { ownOnly });
      if (hits.length > 0) found.push({ id, hits });
    } catch (thrown) {
      faults.push(messageOf(thrown));
    }
  }
  return { found, faults };
}

/** Removes one session. Errors: AgentError `session_missing`, `session_ambiguous`, `session_write_failed` where another process is at it. */
export async function deleteSession(place: ShelfPlace, meant: string): Promise<Removal> {
  const path = await findSession(sessionsFolder(place.folders, place.cwd), meant);
  return removeSessions([path], placesOf(place), false);
}

/** Removes old sessions of a folder; never the newest, and none that somebody has open: those are in `held`. */
export async function pruneSessions(
  place: ShelfPlace,
  retention: Retention,
  isDryRun: boolean,
): Promise<Removal & { readonly held: readonly string[] }> {
  const old = chooseOld(await sessionFiles(sessionsFolder(place.folders, place.cwd)), retention, Date.now());
  const held = old.filter(({ path }) => isHeldByOther(path));
  const free = old.filter((file) => !held.includes(file)).map(({ path }) => path);
  return { ...(await removeSessions(free, placesOf(place), isDryRun)), held: held.map(({ path }) => sessionIdOf(path)) };
}

/** Removes what has not been gone on with for so many days and has no name. */
export async function pruneUnnamed(place: ShelfPlace, keepDays: number): Promise<void> {
  const retention = { olderThanMs: keepDays * DAY_MS, keep: null };
  const old = chooseOld(await sessionFiles(sessionsFolder(place.folders, place.cwd)), retention, Date.now());
  const unnamed: string[] = [];
  for (const { path } of old)
    if (!isHeldByOther(path) && nameIn(await sessionText(path).catch(() => '')) === null) unnamed.push(path);
  // What cannot be removed now is tried again at the end of the next session.
  if (unnamed.length > 0) await removeSessions(unnamed, placesOf(place), false).catch(() => null);
}

function placesOf({ cwd, folders }: ShelfPlace): SessionPlaces {
  return { sessions: sessionsFolder(folders, cwd), effects: effectsFolder(folders, cwd), output: join(folders.state, 'output') };
}
