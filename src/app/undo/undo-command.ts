import { AgentError, messageOf } from '../../core/errors.ts';
import { rawPath } from '../../host/effects/raw-path.ts';
import { hasLeftovers, redo, undo, type UndoOutcome } from '../../sessions/undo.ts';
import { foldChanges, isForReaders, renderDiff } from '../../sessions/undo-diff.ts';
import type { UndoJournal } from '../../sessions/undo-journal.ts';
import { chosenEffects, type UndoChoice } from '../../sessions/undo-plan.ts';
import { markTold } from './undo-notes.ts';
import { renderUndo } from './undo-text.ts';

/** Undoes the last turn of a session, or takes that back; gives lines for the person. Never throws. */
export async function takeBack(verb: 'undo' | 'redo', effects: UndoJournal, cwd: string): Promise<readonly string[]> {
  try {
    const options = { log: effects.log, store: effects.contents, isDryRun: false };
    const outcome = await effects.aside(() => (verb === 'undo' ? undo({ type: 'last' }, options) : redo(options)));
    return outcome === null ? [`There is nothing to ${verb} in this session.`] : linesOf(outcome, cwd);
  } catch (thrown) {
    return [`The ${verb} failed: ${thrown instanceof AgentError ? thrown.message : messageOf(thrown)}`];
  }
}

/** Undoes all turns after one; null where none of them changed anything. With `isForgotten` the model need not be told. Errors: of the system. */
export async function takeBackTo(turn: number, effects: UndoJournal, isForgotten: boolean): Promise<UndoOutcome | null> {
  const options = { log: effects.log, store: effects.contents, isDryRun: false };
  const outcome = await effects.aside(() => undo({ type: 'to', turn }, options));
  if (isForgotten) markTold(effects.log);
  return outcome;
}

/** What was changed and holds, as a unified diff; null where nothing was. Errors: of the system. */
export function changesAsDiff(choice: UndoChoice, effects: UndoJournal, cwd: string): string | null {
  const changes = foldChanges(chosenEffects(effects.log.records(), choice).map((effect) => effect.changes));
  const shown = changes.filter(isForReaders);
  return shown.length === 0 ? null : renderDiff(shown, effects.contents, rawPath(cwd));
}

function linesOf(outcome: UndoOutcome, cwd: string): string[] {
  const advice = hasLeftovers(outcome) ? ['Move aside what has changed since and undo again, or leave it.'] : [];
  return [...renderUndo(outcome, cwd), ...advice];
}
