import type { ContentStore } from '../host/effects/content-store.ts';
import type { RawPath } from '../host/effects/raw-path.ts';
import { type Restore, restoreAll, type RestoreOutcome } from '../host/effects/restore.ts';
import type { UndoLog } from './undo-log.ts';
import { chosenEffects, lastUndo, planUndo, type UndoChoice } from './undo-plan.ts';
import type { EffectRecord } from './undo-record.ts';

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

/** Takes back what calls did to files. What somebody has changed since stays, and is told. Null where the choice means nothing. */
export async function undo(choice: UndoChoice, options: UndoOptions): Promise<UndoOutcome | null> {
  const effects = chosenEffects(options.log.records(), choice);
  if (effects.length === 0) return null;
  const { restores, broken } = planUndo(effects.map(({ changes }) => changes));
  const paths = await carryOut({ restores, broken }, options);
  return finish(
    { type: 'undo', isDryRun: options.isDryRun, effects, paths },
    options.log,
    effects.map(({ id }) => id),
  );
}

/** Does again what the last undo took back. Null where there is none. */
export async function redo(options: UndoOptions): Promise<UndoOutcome | null> {
  const records = options.log.records();
  const undone = lastUndo(records);
  if (undone === null) return null;
  const effects = records.filter((record): record is EffectRecord => record.type === 'effect' && undone.of.includes(record.id));
  const paths = await carryOut(planUndo([undone.changes]), options);
  return finish({ type: 'redo', isDryRun: options.isDryRun, effects, paths }, options.log, [undone.id]);
}

async function carryOut(
  { restores, broken }: { readonly restores: readonly Restore[]; readonly broken: readonly RawPath[] },
  options: UndoOptions,
): Promise<readonly RestoreOutcome[]> {
  const paths = await restoreAll(restores, options);
  return [...paths, ...broken.map(brokenOutcome)];
}

function brokenOutcome(path: RawPath): RestoreOutcome {
  return { path, before: null, after: null, result: 'conflict', detail: 'something else changed it between these calls' };
}

/** An undo is on record as what it changed, so that it can be taken back in turn. */
function finish(outcome: UndoOutcome, log: UndoLog, of: readonly number[]): UndoOutcome {
  if (outcome.isDryRun) return outcome;
  const changes = outcome.paths
    .filter(({ result }) => result === 'restored')
    .map(({ path, before, after }) => ({ path, before, after }));
  const isWhole = !outcome.paths.some(({ result }) => result === 'conflict' || result === 'failed');
  if (changes.length > 0 || isWhole) log.append({ type: outcome.type, of, changes, isWhole });
  return outcome;
}
