import type { SessionFile } from './read-session.ts';

/** Which sessions are to go. Null is not said; what both say goes. */
export interface Retention {
  readonly olderThanMs: number | null;
  /** So many of the newest stay. */
  readonly keep: number | null;
}

/** The sessions that a retention lets go, the newest first. The newest of all is never among them. */
export function chooseOld(
  newestFirst: readonly SessionFile[],
  { olderThanMs, keep }: Retention,
  nowMs: number,
): readonly SessionFile[] {
  const kept = Math.max(1, keep ?? 1);
  return newestFirst.slice(kept).filter(({ mtimeMs }) => olderThanMs === null || nowMs - mtimeMs > olderThanMs);
}
