import type { ContentStore } from '../host/effects/content-store.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import { type Restore, restoreAll, type RestoreOutcome } from '../host/effects/restore.ts';
import type { UndoLog } from './undo-log.ts';
import { brokenOff, chosenEffects, lastUndo, planUndo, type UndoChoice } from './undo-plan.ts';
import type { BegunRecord, EffectRecord, JournalRecord } from './undo-record.ts';

/** What an undo or a redo came to. */
export interface UndoOutcome {
  readonly type: 'undo' | 'redo';
  readonly isDryRun: boolean;
  /** The calls that it was about, in order. */
  readonly effects: readonly EffectRecord[];
  readonly paths: readonly RestoreOutcome[];
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
 * Takes back what calls did to files. What somebody has changed since stays, and is told. One that was broken off in the middle is carried
 * to its end first; where it was about the same calls, that is all. Null where the choice means nothing.
 */
export async function undo(choice: UndoChoice, options: UndoOptions): Promise<UndoOutcome | null> {
  const begun = brokenOff(options.log.records());
  if (begun !== null) {
    const chosen = chosenEffects(options.log.records(), choice);
    const ended = await resume(begun, options);
    const isAll = chosen.every(({ id }) => begun.of.includes(id));
    if (begun.verb === 'undo' && (choice.type === 'last' || isAll || options.isDryRun)) return ended;
  }
  const effects = chosenEffects(options.log.records(), choice);
  if (effects.length === 0) return null;
  const { restores, broken } = planUndo(effects.map(({ changes }) => changes));
  return carryOut({ type: 'undo', effects, of: effects.map(({ id }) => id), restores, broken }, options);
}

/** Does again what the last undo took back; one that was broken off is carried to its end first. Null where there is none. */
export async function redo(options: UndoOptions): Promise<UndoOutcome | null> {
  const begun = brokenOff(options.log.records());
  if (begun !== null) {
    const ended = await resume(begun, options);
    if (begun.verb === 'redo' || options.isDryRun) return ended;
  }
  const records = options.log.records();
  const undone = lastUndo(records);
  if (undone === null) return null;
  const effects = effectsOf(undone.of, records);
  return carryOut({ type: 'redo', effects, of: [undone.id], ...planUndo([undone.changes]) }, options);
}

interface Work {
  readonly type: UndoOutcome['type'];
  readonly effects: readonly EffectRecord[];
  /** As in the record. */
  readonly of: readonly number[];
  readonly restores: readonly Restore[];
  readonly broken: readonly RawPath[];
}

/** It is on record before anything is changed, and when it is done as what it changed, so that it can be taken back in turn. */
async function carryOut({ type, effects, of, restores, broken }: Work, options: UndoOptions): Promise<UndoOutcome> {
  const { log, store, isDryRun } = options;
  const left = broken.map(brokenOutcome);
  const onPlanned = (planned: readonly RestoreOutcome[]): void => {
    const changes = changesOf(planned);
    if (changes.length > 0) log.append({ type: 'begun', verb: type, of, changes, isWhole: isWhole([...planned, ...left]) });
  };
  const paths = [...(await restoreAll(restores, { store, isDryRun, onPlanned })), ...left];
  const changes = changesOf(paths);
  if (!isDryRun && (changes.length > 0 || isWhole(paths))) log.append({ type, of, changes, isWhole: isWhole(paths) });
  return { type, isDryRun, effects, paths };
}

/** Goes on where one was broken off. What it had changed by then counts as changed by it. */
async function resume(begun: BegunRecord, { log, store, isDryRun }: UndoOptions): Promise<UndoOutcome> {
  const restores = begun.changes.map(({ path, before, after }) => ({ path, expected: before, target: after }));
  const paths = await restoreAll(restores, { store, isDryRun, isResumed: true });
  const ended = new Set(paths.filter(({ result }) => result === 'restored' || result === 'same').map(({ path }) => path));
  const records = log.records();
  if (!isDryRun) {
    const changes = begun.changes.filter(({ path }) => ended.has(path));
    log.append({ type: begun.verb, of: begun.of, changes, isWhole: begun.isWhole && isWhole(paths) });
  }
  const undone = records.flatMap((record) => (record.type === 'undo' && begun.of.includes(record.id) ? record.of : []));
  return { type: begun.verb, isDryRun, effects: effectsOf(begun.verb === 'undo' ? begun.of : undone, records), paths };
}

function effectsOf(ids: readonly number[], records: readonly JournalRecord[]): readonly EffectRecord[] {
  return records.filter((record): record is EffectRecord => record.type === 'effect' && ids.includes(record.id));
}

function changesOf(paths: readonly RestoreOutcome[]): Pick<RestoreOutcome, 'path' | 'before' | 'after'>[] {
  return paths.filter(({ result }) => result === 'restored').map(({ path, before, after }) => ({ path, before, after }));
}

function isWhole(paths: readonly RestoreOutcome[]): boolean {
  return !paths.some(({ result }) => result === 'conflict' || result === 'failed');
}

function brokenOutcome(path: RawPath): RestoreOutcome {
  return { path, before: null, after: null, result: 'conflict', detail: 'something else changed it between these calls' };
}
