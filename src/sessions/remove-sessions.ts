import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ContentStore } from '../host/effects/content-store.ts';
import { contentOf, sweepContents } from '../host/effects/sweep-contents.ts';
import { sessionFiles, sessionIdOf } from './read-session.ts';
import { holdSession, isHeldByOther, lockOf, releaseSession } from './session-lock.ts';
import { contentsOfStarts, startPath } from './replay-start.ts';
import { UndoLog, undoLogPath } from './undo-log.ts';

/** Where the things of a project's sessions are. */
export interface SessionPlaces {
  readonly sessions: string;
  /** Of the project: what undo keeps. */
  readonly effects: string;
  /** Of all projects: a folder a session, with output that was too long. */
  readonly output: string;
}

/** What a removal came to. */
export interface Removal {
  readonly removed: readonly string[];
  readonly freedBytes: number;
  /** Those of `freedBytes` that undo had kept and nothing refers to any more. */
  readonly freedContentBytes: number;
  /** Null, or why what undo keeps was left as it is. */
  readonly contentsLeft: string | null;
}

/**
 * Removes sessions with all that belongs to them: what undo kept for them alone, their locks, their long output.
 * Errors: AgentError `session_write_failed` where another process is at one of them; what was removed before stays so.
 */
export async function removeSessions(paths: readonly string[], places: SessionPlaces, isDryRun: boolean): Promise<Removal> {
  let freed = 0;
  for (const path of paths)
    freed += isDryRun ? partsOf(path, places).reduce((sum, part) => sum + sizeOf(part), 0) : removeOne(path, places);
  const left = (await sessionFiles(places.sessions)).map(({ path }) => path).filter((path) => !paths.includes(path));
  const contents = sweep(left, places, isDryRun);
  return {
    removed: paths.map(sessionIdOf),
    freedBytes: freed + contents.freed,
    freedContentBytes: contents.freed,
    contentsLeft: contents.left,
  };
}

function removeOne(path: string, places: SessionPlaces): number {
  holdSession(path);
  try {
    let freed = 0;
    for (const part of partsOf(path, places)) {
      freed += sizeOf(part);
      rmSync(part, { recursive: true, force: true });
    }
    return freed;
  } finally {
    releaseSession(path);
  }
}

/** The session itself comes first: without it the rest is nothing that anybody would go on with. */
function partsOf(path: string, { output }: SessionPlaces): string[] {
  return [path, undoLogPath(path), startPath(path), join(output, sessionIdOf(path))];
}

/** A session that is open may be about to refer to what nothing refers to yet. */
function sweep(
  left: readonly string[],
  places: SessionPlaces,
  isDryRun: boolean,
): { readonly freed: number; readonly left: string | null } {
  if (hasOpenSession(places.sessions)) return { freed: 0, left: 'a session of this folder is open' };
  try {
    return { freed: sweepContents(places.effects, contentsNeeded(left, places), isDryRun), left: null };
  } catch {
    return { freed: 0, left: 'what other sessions need could not be read' };
  }
}

/** What undo, redo and replay of sessions need. Errors: of the system. */
function contentsNeeded(sessions: readonly string[], { effects }: SessionPlaces): ReadonlySet<string> {
  const needed = new Set<string>();
  const store = new ContentStore(join(effects, 'contents'));
  try {
    for (const path of sessions) {
      for (const record of new UndoLog(undoLogPath(path)).records())
        if (record.type !== 'told')
          for (const { before, after } of record.changes)
            for (const hash of [contentOf(before), contentOf(after)]) if (hash !== null) needed.add(hash);
      for (const hash of contentsOfStarts(path, (list) => store.read(list))) needed.add(hash);
    }
    return needed;
  } finally {
    store.close();
  }
}

/** A new session has a lock before it has a file. */
function hasOpenSession(folder: string): boolean {
  const ending = lockOf('');
  return readdirSync(folder).some((name) => name.endsWith(ending) && isHeldByOther(join(folder, name.slice(0, -ending.length))));
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
