import { displayLine, displayText } from '../../core/display-text.ts';
import { relativeTo } from '../../host/effects/coverage.ts';
import { rawPath, shownPath } from '../../host/effects/raw-path.ts';
import type { EffectRecord } from '../../sessions/undo-record.ts';
import type { EntryState } from '../../host/effects/entry-state.ts';
import type { RestoreOutcome } from '../../host/effects/restore.ts';
import type { RestoreResult } from '../../host/effects/restore-plan.ts';
import type { BrokenCall } from './broken-calls.ts';
import type { Unfinished, UndoOutcome } from './undo-session.ts';

const MAX_SHOWN = 40;
const MAX_NAME_CHARS = 200;

/** What an undo did, for a person: the calls, then each path with what became of it. Safe to show. */
export function renderUndo({ type, isDryRun, effects, paths, unfinished }: UndoOutcome, cwd: string): string[] {
  const calls = effects.map(({ turn, by }) => `  turn ${turn}  ${displayLine(by)}`);
  const done = paths.filter(({ result }) => result === 'restored');
  const left = paths.filter(({ result }) => result !== 'restored' && result !== 'same');
  const verb = `${isDryRun ? 'would ' : ''}${type === 'undo' ? (isDryRun ? 'undo' : 'undid') : isDryRun ? 'redo' : 'redid'}`;
  return [
    `${verb} ${effects.length === 1 ? 'one call' : `${effects.length} calls`}:`,
    ...calls,
    ...shortened(done.map((path) => `  ${wordOf(path).padEnd(12)} ${nameIn(cwd, path)}`)),
    ...(done.length === 0 ? ['  nothing had to be changed'] : []),
    ...(left.length === 0 ? [] : ['left as they are:', ...shortened(left.map((path) => leftLine(path, cwd)))]),
    ...unfinished.map(unfinishedLine),
  ];
}

/** What cannot be taken back, since the process was ended while it ran. */
export function brokenLine({ name, subject }: BrokenCall): string {
  const what = displayLine(`${name} ${subject}`, MAX_NAME_CHARS).trim();
  return `Not on record, since wield was ended while it ran: ${what}. What it changed until then stays; look at it with git or by hand.`;
}

/** The same as data. */
export function undoAsJson({ type, isDryRun, effects, paths, unfinished }: UndoOutcome): object {
  return {
    type,
    dryRun: isDryRun,
    calls: effects.map(callAsJson),
    paths: paths.map(({ path, result, detail }) => ({ path: shownPath(path), result, ...(detail === '' ? {} : { detail }) })),
    unfinished: unfinished.map((one) => ({ type: one.type, calls: one.effects.map(callAsJson) })),
  };
}

function callAsJson({ turn, toolUseId, by }: EffectRecord): object {
  return { turn, toolUseId, by };
}

function unfinishedLine({ type, effects }: Unfinished): string {
  const turns = [...new Set(effects.map(({ turn }) => turn))];
  const remedy = type === 'redo' ? 'wield redo' : turns.map((turn) => `wield undo --turn ${turn}`).join(', ');
  return `Broken off before and still to be finished: the ${type} of turn ${turns.join(', ')} (${remedy}).`;
}

function shortened(lines: readonly string[]): string[] {
  return lines.length <= MAX_SHOWN ? [...lines] : [...lines.slice(0, MAX_SHOWN), `  and ${lines.length - MAX_SHOWN} more`];
}

function wordOf({ before, after }: RestoreOutcome): string {
  if (after === null) return 'removed';
  if (before === null) return 'brought back';
  return hasSameContent(before, after) ? 'mode' : 'restored';
}

function hasSameContent(a: EntryState, b: EntryState): boolean {
  return (a.kind === 'file' && b.kind === 'file' && a.hash === b.hash) || (a.kind === 'folder' && b.kind === 'folder');
}

const LEFT: Readonly<Record<Exclude<RestoreResult, 'restored' | 'same'>, string>> = {
  conflict: 'conflict',
  uncovered: 'not covered',
  lost: 'not kept',
  failed: 'failed',
};

function leftLine(path: RestoreOutcome, cwd: string): string {
  const word = path.result === 'restored' || path.result === 'same' ? '' : LEFT[path.result];
  return `  ${word.padEnd(12)} ${nameIn(cwd, path)}${path.detail === '' ? '' : ` (${displayText(path.detail)})`}`;
}

function nameIn(cwd: string, { path }: RestoreOutcome): string {
  return displayLine(shownPath(relativeTo(rawPath(cwd), path)), MAX_NAME_CHARS);
}
