import type { PathChange } from '../host/effects/entry-state.ts';
import type { BrokenOff } from '../host/effects/halfway.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import type { BegunRecord, EffectRecord, JournalRecord, UndoRecord } from './undo-record.ts';

/** The undos and redos that were killed and of which something is still to be done, in order. Calls may have come after them. */
export function brokenOffIn(records: readonly JournalRecord[]): readonly BegunRecord[] {
  return records.filter((record): record is BegunRecord => record.type === 'begun' && !isEnded(record, records));
}

/** What they were about to change; of a path that several were about to, what the last one was. */
export function halfDone(brokenOff: readonly BegunRecord[]): BrokenOff {
  return new Map(brokenOff.flatMap(({ changes }) => changes.map((change) => [change.path, change])));
}

/** What killed undos were about to do at a path to the last call that they took back there, the latest last. */
export type KilledUndos = (effectId: number, path: RawPath) => readonly PathChange[];

export function killedUndosIn(records: readonly JournalRecord[]): KilledUndos {
  const begun = new Map<string, PathChange[]>();
  for (const killed of brokenOffIn(records)) {
    if (killed.verb !== 'undo') continue;
    const lastOn = lastEffects(effectsOf({ type: 'undo', of: killed.of }, records));
    for (const change of killed.changes) {
      const key = keyOf(lastOn.get(change.path) ?? 0, change.path);
      begun.set(key, [...(begun.get(key) ?? []), change]);
    }
  }
  return (effectId, path) => begun.get(keyOf(effectId, path)) ?? [];
}

/** The records as they will be when one that was broken off has been carried to its end. */
export function asIfEnded(
  records: readonly JournalRecord[],
  { verb, of, changes, isWhole }: BegunRecord,
): readonly JournalRecord[] {
  const id = records.reduce((last, record) => Math.max(last, record.id), 0) + 1;
  return [...records, { type: verb, id, of, changes, isWhole }];
}

/** The calls that an undo is about, or a redo. */
export function effectsOf(
  { type, of }: { readonly type: UndoRecord['type']; readonly of: readonly number[] },
  records: readonly JournalRecord[],
): readonly EffectRecord[] {
  const undone = records.flatMap((record) => (record.type === 'undo' && of.includes(record.id) ? record.of : []));
  const ids = type === 'undo' ? of : undone;
  return records.filter((record): record is EffectRecord => record.type === 'effect' && ids.includes(record.id));
}

function lastEffects(effects: readonly EffectRecord[]): ReadonlyMap<RawPath, number> {
  return new Map(effects.flatMap(({ id, changes }) => changes.map(({ path }) => [path, id])));
}

function keyOf(effectId: number, path: RawPath): string {
  return `${effectId} ${path}`;
}

/** It is at its end when each thing that it is about has had that done to it since, be it one by one. */
function isEnded({ id, verb, of }: BegunRecord, records: readonly JournalRecord[]): boolean {
  const done = new Set(records.flatMap((record) => (record.type === verb && record.id > id ? record.of : [])));
  return of.every((one) => done.has(one));
}
