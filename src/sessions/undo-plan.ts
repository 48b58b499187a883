import type { ContentStore } from '../host/effects/content-store.ts';
import { isSameState, type PathChange } from '../host/effects/entry-state.ts';
import { isLeftBy } from '../host/effects/halfway.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import type { Restore } from '../host/effects/restore-plan.ts';
import type { KilledUndos } from './undo-broken-off.ts';
import type { EffectRecord, JournalRecord, UndoRecord } from './undo-record.ts';

/** What to undo: the last turn that changed something, one turn, one call, or all turns after one. */
export type UndoChoice =
  | { readonly type: 'last' }
  | { readonly type: 'turn'; readonly turn: number }
  | { readonly type: 'call'; readonly toolUseId: string }
  | { readonly type: 'to'; readonly turn: number };

/** The effects that a choice means and that hold, in order. */
export function chosenEffects(records: readonly JournalRecord[], choice: UndoChoice): readonly EffectRecord[] {
  const holding = holdingEffects(records);
  switch (choice.type) {
    case 'last': {
      const turn = holding.findLast(isOfNote)?.turn;
      return holding.filter((effect) => effect.turn === turn);
    }
    case 'turn':
      return holding.filter(({ turn }) => turn === choice.turn);
    case 'call':
      return holding.filter((effect) => effect.toolUseId === choice.toolUseId || effect.onBehalfOf === choice.toolUseId);
    case 'to':
      return holding.filter(({ turn }) => turn > choice.turn);
  }
}

/** All effects of a choice, undone or not. */
export function recordedEffects(records: readonly JournalRecord[], choice: UndoChoice): readonly EffectRecord[] {
  return chosenEffects(
    records.filter(({ type }) => type === 'effect'),
    choice,
  );
}

/** The last undo that no redo took back, or null. */
export function lastUndo(records: readonly JournalRecord[]): UndoRecord | null {
  const redone = new Set(records.flatMap((record) => (record.type === 'redo' ? record.of : [])));
  return records.findLast((record): record is UndoRecord => record.type === 'undo' && !redone.has(record.id)) ?? null;
}

/** How paths are brought back. `broken` are those that something else changed in between. */
export interface UndoPlan {
  readonly restores: readonly Restore[];
  readonly broken: readonly RawPath[];
}

/** How to take back what calls did. Where an undo of a call was killed, what it may have left at a path is what the call left. */
export function planUndo(inOrder: readonly EffectRecord[], killed: KilledUndos, store: ContentStore): UndoPlan {
  const restores = new Map<RawPath, Restore>();
  const broken = new Set<RawPath>();
  for (const { id, changes } of inOrder.toReversed())
    for (const { path, before, after } of changes) {
      const later = restores.get(path);
      const begun = killed(id, path);
      if (later === undefined) restores.set(path, { path, expected: begun.at(-1)?.before ?? after, target: before });
      else if (isSameState(later.target, after) || begun.some((change) => isLeftBy(change, later.target, store)))
        restores.set(path, { ...later, target: before });
      else broken.add(path);
    }
  return {
    restores: [...restores.values()].filter((restore) => !broken.has(restore.path) && isWanted(restore)),
    broken: [...broken],
  };
}

/** How to bring one list of changes back to its beginning. */
export function planReverse(changes: readonly PathChange[]): UndoPlan {
  const restores = changes.map(({ path, before, after }) => ({ path, expected: after, target: before }));
  return { restores: restores.filter(isWanted), broken: [] };
}

function isWanted({ path, expected, target }: Restore): boolean {
  return !isSameState(expected, target) && !(target === null && isGitObject(path));
}

/** What git has stored stays: a commit that somebody made since may need it. */
function isGitObject(path: RawPath): boolean {
  return /\/\.git\/(?:modules\/.*\/)?objects\//.test(path);
}

function holdingEffects(records: readonly JournalRecord[]): readonly EffectRecord[] {
  const undone = new Set<number>();
  for (const record of records) {
    if (record.type === 'undo' && record.isWhole) for (const id of record.of) undone.add(id);
    if (record.type === 'redo') {
      const undo = records.find((other) => other.type === 'undo' && record.of.includes(other.id));
      if (undo?.type === 'undo') for (const id of undo.of) undone.delete(id);
    }
  }
  return records.filter((record): record is EffectRecord => record.type === 'effect' && !undone.has(record.id));
}

/** That git looked at its files again is nothing that anybody wants to take back. */
function isOfNote({ changes }: EffectRecord): boolean {
  return changes.some(({ path }) => !path.endsWith('/.git/index'));
}
