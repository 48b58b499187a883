import type { Session } from '../app/compose.ts';

/** What `/rewind` says: those turns that there are where none is named, else what came of it. */
export async function rewindLines(session: Session, toTurn: number | null): Promise<readonly string[]> {
  if (toTurn !== null) return session.rewind({ toTurn, part: 'both' });
  const turns = await session.turns();
  if (turns.length === 0) return ['There is nothing to rewind yet.'];
  const { turnLine } = await import('../app/undo/rewind.ts');
  return [...turns.map(turnLine), '/rewind N goes back to the end of turn N, 0 to the beginning; files and conversation.'];
}
