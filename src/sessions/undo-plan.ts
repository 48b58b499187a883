import { isSameState, type PathChange } from '../host/effects/entry-state.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import type { Restore } from '../host/effects/restore.ts';
import type { BegunRecord, EffectRecord, JournalRecord, UndoRecord } from './undo-record.ts';

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

/** The undo or redo that was broken off in the middle, and after which no call changed anything; or null. */
export function brokenOff(records: readonly JournalRecord[]): BegunRecord | null {
  const last = records.findLast(({ type }) => type !== 'told');
  return last?.type === 'begun' ? last : null;
}

/** How to take back changes that came in this order. `broken` are paths that something else changed in between. */
export function planUndo(inOrder: readonly (readonly PathChange[])[]): {
  readonly restores: readonly Restore[];
  readonly broken: readonly RawPath[];
} {
  const restores = new Map<RawPath, Restore>();
  const broken = new Set<RawPath>();
  for (const { path, before, after } of inOrder.toReversed().flat()) {
    const later = restores.get(path);
    if (later === undefined) restores.set(path, { path, expected: after, target: before });
    else if (isSameState(later.target, after)) restores.set(path, { ...later, target: before });
    else broken.add(path);
  }
  const wanted = [...restores.values()].filter(
    ({ path, expected, target }) =>
      !broken.has(path) && !isSameState(expected, target) && !(target === null && isGitObject(path)),
  );
  return { restores: wanted, broken: [...broken] };
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
