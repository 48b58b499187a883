import type { EntryState } from '../host/effects/entry-state.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import type { EffectRecord, JournalRecord } from './undo-record.ts';

/**
 * Calls with what a redo put in place of files that were too large to be looked at: such a file was known by its place on the disk, and
 * the one that a redo writes has another.
 */
export function withRedone(effects: readonly EffectRecord[], records: readonly JournalRecord[]): readonly EffectRecord[] {
  const redone = redoneStates(records);
  if (redone.size === 0) return effects;
  return effects.map((effect) => ({
    ...effect,
    changes: effect.changes.map((change) => {
      const isKnownByPlace = change.after?.kind === 'uncovered' && change.after.why === 'large';
      return isKnownByPlace ? { ...change, after: redone.get(keyOf(effect.id, change.path)) ?? change.after } : change;
    }),
  }));
}

/** By the last call that had made a path what a redo made it again. */
function redoneStates(records: readonly JournalRecord[]): ReadonlyMap<string, EntryState | null> {
  const states = new Map<string, EntryState | null>();
  for (const redo of records) {
    if (redo.type !== 'redo') continue;
    const undone = records.flatMap((record) => (record.type === 'undo' && redo.of.includes(record.id) ? record.of : []));
    const lastOn = new Map<RawPath, number>();
    for (const record of records)
      if (record.type === 'effect' && undone.includes(record.id))
        for (const { path } of record.changes) lastOn.set(path, record.id);
    for (const { path, after } of redo.changes) states.set(keyOf(lastOn.get(path) ?? 0, path), after);
  }
  return states;
}

function keyOf(effectId: number, path: RawPath): string {
  return `${effectId} ${path}`;
}
