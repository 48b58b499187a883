import { access } from 'node:fs/promises';
import { AgentError } from '../core/errors.ts';
import { isSessionId, missing, type SessionFile, sessionFile, sessionFiles, sessionIdOf, sessionText } from './read-session.ts';
import { nameIn } from './session-name.ts';

/** A session and what a person called it, or null. */
export interface NamedSession extends SessionFile {
  readonly id: string;
  readonly name: string | null;
}

const MIN_PREFIX_CHARS = 4;
const MAX_SHOWN = 8;

/**
 * The file of the session that a person means: by its id, its name, the beginning of its id, or its name in other letters; the first of
 * these that says something counts. Errors: AgentError `session_missing`, `session_ambiguous` with those that it may be.
 */
export async function findSession(folder: string, meant: string): Promise<string> {
  const files = await sessionFiles(folder);
  if (isSessionId(meant) && (await isThere(sessionFile(folder, meant)))) return sessionFile(folder, meant);
  const sessions = await Promise.all(files.map(named));
  const wanted = meant.trim();
  for (const isMeant of [
    ({ name }: NamedSession) => name === wanted,
    ({ id }: NamedSession) => wanted.length >= MIN_PREFIX_CHARS && id.startsWith(wanted),
    ({ name }: NamedSession) => name?.toLowerCase() === wanted.toLowerCase(),
  ]) {
    const found = sessions.filter(isMeant);
    if (found.length > 1) throw ambiguous(meant, found);
    if (found[0] !== undefined) return found[0].path;
  }
  throw missing(`There is no session ${meant} here.`);
}

/** Of whatever kind: that it cannot be read is told when it is. */
function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Null stands for the name of what cannot be read, too. */
async function named(file: SessionFile): Promise<NamedSession> {
  const text = await sessionText(file.path).catch(() => '');
  return { ...file, id: sessionIdOf(file.path), name: nameIn(text) };
}

function ambiguous(meant: string, found: readonly NamedSession[]): AgentError {
  const shown = found.slice(0, MAX_SHOWN).map(({ id, name }) => (name === null ? id : `${id} (${name})`));
  const more = found.length > MAX_SHOWN ? ` and ${found.length - MAX_SHOWN} more` : '';
  return new AgentError({
    code: 'session_ambiguous',
    message: `${found.length} sessions are meant by ${meant}: ${shown.join(', ')}${more}.`,
    remedy: 'Give the id of one of them; wield sessions tells more of each.',
  });
}
