import type { EntryState, PathChange } from '../host/effects/entry-state.ts';
import { type RawPath, rawPath, shownPath } from '../host/effects/raw-path.ts';
import { type BothPlaces, compareTexts, type Comparison } from './replay-compare.ts';
import type { EffectRecord } from './undo-record.ts';

/** What calls did to files in one run. */
export interface RunEffects {
  readonly root: string;
  readonly effects: readonly EffectRecord[];
  contentOf(hash: string): Uint8Array | null;
}

/** How the effects of one call in two runs stand to each other. The first path that differs is named. */
export function compareEffects(
  toolUseId: string,
  { before, now, places }: { readonly before: RunEffects; readonly now: RunEffects; readonly places: BothPlaces },
): Comparison {
  const [left, right] = [afterByPath(toolUseId, before), afterByPath(toolUseId, now)];
  const rules = new Set<string>();
  for (const path of [...new Set([...left.keys(), ...right.keys()])].toSorted()) {
    const [a, b] = [left.get(path), right.get(path)];
    const described = compareTexts(describe(path, a), describe(path, b), places);
    const compared = described.type === 'different' ? described : compareContents(a ?? null, b ?? null, { before, now, places });
    if (compared.type === 'different') return { ...compared, difference: inFile(path, compared.difference) };
    for (const rule of compared.rules) rules.add(rule);
  }
  return { type: 'equal', rules: [...rules] };
}

function compareContents(
  a: EntryState | null,
  b: EntryState | null,
  { before, now, places }: { readonly before: RunEffects; readonly now: RunEffects; readonly places: BothPlaces },
): Comparison {
  if (a?.kind !== 'file' || b?.kind !== 'file' || a.hash === b.hash) return { type: 'equal', rules: [] };
  const [left, right] = [before.contentOf(a.hash), now.contentOf(b.hash)];
  return compareTexts(textOrHash(left, a.hash), textOrHash(right, b.hash), places);
}

function textOrHash(content: Uint8Array | null, hash: string): string {
  // One character a byte: any two contents that differ give two texts that do.
  return content === null ? `content ${hash}` : Buffer.from(content).toString('latin1');
}

/** git's own files hold times and numbers of this machine. */
function afterByPath(toolUseId: string, { root, effects }: RunEffects): ReadonlyMap<RawPath, EntryState | null> {
  const start = `${rawPath(root)}/`;
  const changes: PathChange[] = effects.filter((effect) => effect.toolUseId === toolUseId).flatMap((effect) => effect.changes);
  return new Map(
    changes
      .filter(({ path }) => path.startsWith(start) && !path.includes('/.git/') && !path.endsWith('/.git'))
      .map(({ path, after }) => [path.slice(start.length), after]),
  );
}

function describe(path: RawPath, state: EntryState | null | undefined): string {
  if (state === undefined) return `${shownPath(path)} was left as it is`;
  if (state === null) return `${shownPath(path)} was removed`;
  if (state.kind === 'link') return `${shownPath(path)} became a link to ${shownPath(state.target)}`;
  return `${shownPath(path)} became a ${state.kind}${'mode' in state ? ` of mode ${state.mode.toString(8)}` : ''}`;
}

function inFile<T extends { readonly expected: string; readonly actual: string }>(path: RawPath, difference: T): T {
  const name = shownPath(path);
  const isNamed = difference.expected.includes(name) || difference.actual.includes(name);
  return isNamed
    ? difference
    : { ...difference, expected: `${name}: ${difference.expected}`, actual: `${name}: ${difference.actual}` };
}
