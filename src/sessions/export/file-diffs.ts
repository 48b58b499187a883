import { isJsonObject } from '../../core/json-value.ts';
import type { ToolUseBlock } from '../../core/message.ts';
import type { ContentStore } from '../../host/effects/content-store.ts';
import type { PathChange } from '../../host/effects/entry-state.ts';
import { relativeTo } from '../../host/effects/coverage.ts';
import { lineDiff } from '../../host/effects/line-diff.ts';
import { rawPath, shownPath } from '../../host/effects/raw-path.ts';
import { foldChanges, isForReaders, renderDiff } from '../undo-diff.ts';
import type { UndoLog } from '../undo-log.ts';
import { chosenEffects, recordedEffects } from '../undo-plan.ts';
import type { EffectRecord } from '../undo-record.ts';
import type { FileDiff } from './session-document.ts';

const ALL = { type: 'to', turn: -1 } as const;
const MAX_PATHS = 40;
const MAX_LINES = 1500;

/** What the journal of a session knows of its calls. */
export interface RecordedDiffs {
  readonly byCall: ReadonlyMap<string, readonly FileDiff[]>;
  readonly undone: ReadonlySet<string>;
  /** Of all that was not undone, each path once. */
  readonly all: readonly FileDiff[];
}

/** Reads the diffs of a session from its undo journal. `store` is null where no contents are kept. */
export function recordedDiffs(log: UndoLog, store: ContentStore | null, cwd: string | null): RecordedDiffs {
  const records = log.records();
  const effects = recordedEffects(records, ALL);
  const holding = new Set(chosenEffects(records, ALL).map(({ id }) => id));
  const render = (changes: readonly PathChange[]): readonly FileDiff[] => diffsOf(changes, store, cwd);
  const held = effects.filter(({ id }) => holding.has(id));
  return {
    byCall: new Map([...byCallOf(effects)].map(([id, changes]) => [id, render(changes)])),
    undone: new Set(effects.flatMap((effect) => (holding.has(effect.id) ? [] : callsOf(effect)))),
    all: render(foldChanges(held.map(({ changes }) => changes))),
  };
}

/** What an edit says that it changes, where no journal tells what it did. */
export function diffOfInput({ input }: ToolUseBlock, subject: string): readonly FileDiff[] {
  if (!isJsonObject(input)) return [];
  const { old_string: old, new_string: young, content, patch } = input;
  if (typeof old === 'string' && typeof young === 'string') return [fileDiff(subject, diffOfPart(old, young))];
  if (typeof content === 'string') return [fileDiff(subject, lineDiff('', content))];
  return typeof patch === 'string' ? [fileDiff(subject, patch.split('\n'))] : [];
}

/** Of a part of a file: where its lines stand, and whether a line end follows, is not known. */
function diffOfPart(old: string, young: string): readonly string[] {
  return lineDiff(`${old}\n`, `${young}\n`).filter((line) => !line.startsWith('@@'));
}

/** The call, and the one for which a sub-agent made it. */
function callsOf({ toolUseId, onBehalfOf }: Pick<EffectRecord, 'toolUseId' | 'onBehalfOf'>): readonly string[] {
  return [toolUseId, onBehalfOf].flatMap((id) => id ?? []);
}

function byCallOf(effects: readonly EffectRecord[]): ReadonlyMap<string, readonly PathChange[]> {
  const byCall = new Map<string, readonly PathChange[]>();
  for (const { changes, ...effect } of effects)
    for (const id of callsOf(effect)) byCall.set(id, [...(byCall.get(id) ?? []), ...changes]);
  return byCall;
}

function diffsOf(changes: readonly PathChange[], store: ContentStore | null, cwd: string | null): readonly FileDiff[] {
  const read = changes.filter(isForReaders).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const root = rawPath(cwd ?? '/');
  const shown = read.slice(0, MAX_PATHS).map((change) => {
    const path = shownPath(relativeTo(root, change.path));
    if (store === null) return fileDiff(path, ['content not kept']);
    const [, ...lines] = renderDiff([change], store, root).trimEnd().split('\n');
    return fileDiff(
      path,
      lines.filter((line) => !/^(?:---|\+\+\+) (?:[ab]\/|\/dev\/null)/.test(line)),
    );
  });
  const more = read.length - MAX_PATHS;
  return more > 0 ? [...shown, fileDiff(`${more} more`, ['wield diff shows all of them'])] : shown;
}

function fileDiff(path: string, lines: readonly string[]): FileDiff {
  const more = lines.length - MAX_LINES;
  return {
    path,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    diff: more > 0 ? [...lines.slice(0, MAX_LINES), `${more} more lines; wield diff shows all of them`] : lines,
  };
}
