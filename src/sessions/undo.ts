import type { ContentStore } from '../host/effects/content-store.ts';
import { isSameState, type PathChange } from '../host/effects/entry-state.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import { restoreAll, type RestoreOutcome } from '../host/effects/restore.ts';
import { withRedone } from './redone-effects.ts';
import { asIfEnded, brokenOffIn, effectsOf, halfDone, killedUndosIn } from './undo-broken-off.ts';
import type { UndoLog } from './undo-log.ts';
import { chosenEffects, lastUndo, planReverse, planUndo, type UndoChoice, type UndoPlan } from './undo-plan.ts';
import type { BegunRecord, EffectRecord, JournalRecord } from './undo-record.ts';

/** What an undo or a redo came to. */
export interface UndoOutcome {
  readonly type: 'undo' | 'redo';
  readonly isDryRun: boolean;
  /** The calls that it was about, in order. */
  readonly effects: readonly EffectRecord[];
  readonly paths: readonly RestoreOutcome[];
  /** Those that were broken off and that this one was not about. */
  readonly unfinished: readonly Unfinished[];
}

/** An undo or a redo that was broken off. */
export interface Unfinished {
  readonly type: UndoOutcome['type'];
  readonly effects: readonly EffectRecord[];
}

export interface UndoOptions {
  readonly log: UndoLog;
  readonly store: ContentStore;
  readonly isDryRun: boolean;
}

/** True where something was left as it is that an undo was meant for. */
export function hasLeftovers({ paths }: UndoOutcome): boolean {
  return paths.some(({ result }) => result !== 'restored' && result !== 'same');
}

/**
 * Takes back what calls did to files. What somebody has changed since stays, and is told. Of one that was broken off, what is chosen is
 * carried to its end. Null where the choice means nothing.
 */
export async function undo(choice: UndoChoice, options: UndoOptions): Promise<UndoOutcome | null> {
  const records = await withRedoEnded(choice, options);
  const effects = chosenEffects(records, choice);
  if (effects.length === 0) return null;
  const plan = planUndo(withRedone(effects, records), killedUndosIn(records), options.store);
  return carryOut({ type: 'undo', effects, of: effects.map(({ id }) => id), ...plan, begun: null }, options);
}

/** Does again what the last undo took back; one that was broken off is carried to its end first. Null where there is none. */
export async function redo(options: UndoOptions): Promise<UndoOutcome | null> {
  const begun = brokenOffIn(options.log.records()).at(-1);
  const isLast = begun !== undefined && begun.id > (lastUndo(options.log.records())?.id ?? 0);
  if (isLast && begun.verb === 'redo') return resume(begun, options);
  const records = isLast ? await ended(begun, options) : options.log.records();
  const undone = lastUndo(records);
  if (undone === null) return null;
  const of = [undone.id];
  const effects = effectsOf({ type: 'redo', of }, records);
  return carryOut({ type: 'redo', effects, of, ...planReverse(undone.changes), begun: null }, options);
}

interface Work extends UndoPlan {
  readonly type: UndoOutcome['type'];
  readonly effects: readonly EffectRecord[];
  /** As in the record. */
  readonly of: readonly number[];
  /** The one that it goes on with; null where it is a new one. */
  readonly begun: BegunRecord | null;
}

/** It is on record before anything is changed, and when it is done as what it changed, so that it can be taken back in turn. */
async function carryOut({ type, effects, of, restores, broken, begun }: Work, options: UndoOptions): Promise<UndoOutcome> {
  const { log, store, isDryRun } = options;
  const left = broken.map(brokenOutcome);
  const brokenOff = halfDone(brokenOffIn(log.records()));
  const isWhole = (all: readonly RestoreOutcome[]): boolean => begun?.isWhole !== false && !all.some(isLeft);
  const onPlanned = (planned: readonly RestoreOutcome[]): void => {
    const changes = changesOf(planned);
    if (changes.length > 0) log.append({ type: 'begun', verb: type, of, changes, isWhole: isWhole([...planned, ...left]) });
  };
  const paths = [...(await restoreAll(restores, { store, isDryRun, brokenOff, onPlanned })), ...left];
  const changes = changesOf(paths);
  if (!isDryRun && (changes.length > 0 || begun !== null || isWhole(paths)))
    log.append({ type, of, changes, isWhole: isWhole(paths) });
  return { type, isDryRun, effects, paths, unfinished: unfinishedBeside(effects, log.records()) };
}

/** Goes on where one was broken off. What it had changed by then counts as changed by it. */
function resume(begun: BegunRecord, options: UndoOptions): Promise<UndoOutcome> {
  const { verb, of } = begun;
  const restores = begun.changes.map(({ path, before, after }) => ({ path, expected: before, target: after }));
  const effects = effectsOf({ type: verb, of }, options.log.records());
  return carryOut({ type: verb, effects, of, restores, broken: [], begun }, options);
}

/** Carries one to its end that was broken off; a dry run takes it as done. */
async function ended(begun: BegunRecord, options: UndoOptions): Promise<readonly JournalRecord[]> {
  if (options.isDryRun) return asIfEnded(options.log.records(), begun);
  await resume(begun, options);
  return options.log.records();
}

/** A redo that was broken off has to be at its end before what it does again can be undone. */
async function withRedoEnded(choice: UndoChoice, options: UndoOptions): Promise<readonly JournalRecord[]> {
  const records = options.log.records();
  const begun = brokenOffIn(records).findLast(({ verb }) => verb === 'redo');
  if (begun === undefined) return records;
  const again = new Set(effectsOf({ type: 'redo', of: begun.of }, records).map(({ id }) => id));
  const isMeant = chosenEffects(asIfEnded(records, begun), choice).some(({ id }) => again.has(id));
  return isMeant ? ended(begun, options) : records;
}

function unfinishedBeside(effects: readonly EffectRecord[], records: readonly JournalRecord[]): readonly Unfinished[] {
  return brokenOffIn(records)
    .map(({ verb, of }) => ({ type: verb, effects: effectsOf({ type: verb, of }, records) }))
    .filter((other) => other.effects.some((effect) => !effects.includes(effect)));
}

/** With what one that was broken off had changed by then. */
function changesOf(paths: readonly RestoreOutcome[]): PathChange[] {
  return paths
    .filter(({ result, before, after }) => result === 'restored' || (result === 'same' && !isSameState(before, after)))
    .map(({ path, before, after }) => ({ path, before, after }));
}

function isLeft({ result }: RestoreOutcome): boolean {
  return result === 'conflict' || result === 'failed';
}

function brokenOutcome(path: RawPath): RestoreOutcome {
  return { path, before: null, after: null, result: 'conflict', detail: 'something else changed it between these calls' };
}
