import { resolve } from 'node:path';
import type { DecisionPart } from '../../core/permission.ts';
import type { ShellPart } from '../../shell/report.ts';
import { entriesElsewhere, findBelow } from '../find-below.ts';
import type { ElsewhereFiles, Gate } from '../gate.ts';
import { codeWords } from './hidden-commands.ts';
import { lenientRealPath } from '../lenient-real-path.ts';
import { type PlaceUse, speaksOfUse } from './rule-match.ts';
import type { ReadyRule } from './rule-pattern.ts';

// Rules that refuse hold wherever they can: this look goes further than others.
const MAX_ENTRIES = 50_000;
const MAX_WORDS = 200;

/** A place by its real path, and what is done to it. */
export interface RefusedUse extends Pick<PlaceUse, 'tool' | 'access'> {
  readonly path: string;
}

/** What a folder holds of which a rule says no or ask, or null: who takes the folder takes that too. */
export async function refusedBelow(gate: Gate, use: RefusedUse): Promise<DecisionPart | null> {
  const refusing = refusingRules(gate, use.tool, [use.access]);
  if (refusing.length === 0) return null;
  const because = await holdsRefused(refusing, use.path, gate.options.elsewhere);
  return because === null ? null : { text: `${use.access} ${use.path}`, decision: 'ask', cause: 'rule', because };
}

/** The folders that a part may work in; null where they are not known. */
export type Folders = readonly string[] | null;

/** The question about a part whose places are not all known, or null: it names, in a word that may be a path, something of which a rule says no or ask. */
export async function refusedByWords(gate: Gate, part: ShellPart, folders: Folders): Promise<DecisionPart | null> {
  const refusing = refusingRules(gate, null, accessesOf(part));
  if (refusing.length === 0) return null;
  const because = await mayMean(refusing, part, folders);
  return because === null ? null : { text: part.text, decision: 'ask', cause: 'rule', because };
}

/** The folders in which parts of a command may work, by the way that `cd` goes in it; null where that is not known. */
export function foldersOf(cwd: string, parts: readonly ShellPart[]): Folders {
  const moves = parts.filter(({ words }) => ['cd', 'pushd', 'popd'].includes(words[0] ?? ''));
  const targets = moves.flatMap(({ reads }) => (reads.length === 0 ? [null] : reads.map(({ path }) => path)));
  const known = targets.filter((path) => path !== null);
  return known.length < targets.length ? null : [cwd, ...known];
}

function refusingRules({ rules }: Gate, tool: PlaceUse['tool'], accesses: readonly PlaceUse['access'][]): ReadyRule[] {
  return rules.filter(
    ({ rule, path }) => rule.behavior !== 'allow' && path !== null && accesses.some((access) => speaksOfUse(rule, tool, access)),
  );
}

/** What a part may do beyond the places that are known of it. */
function accessesOf({ effect, reads, writes }: ShellPart): PlaceUse['access'][] {
  if (effect === 'acts') return ['read', 'write'];
  return [
    ...(reads.some(({ path, isContent }) => path === null && isContent) ? (['read'] as const) : []),
    ...(writes.some(({ path }) => path === null) ? (['write'] as const) : []),
  ];
}

async function mayMean(refusing: readonly ReadyRule[], part: ShellPart, folders: Folders): Promise<string | null> {
  const rule = `${refusing[0]?.rule.tool}(${refusing[0]?.rule.specifier})`;
  const { words, effect } = part;
  const isKnown = effect === 'acts' && words.every((word) => word !== null) && words.length <= MAX_WORDS && folders !== null;
  if (!isKnown) return `what it touches is known only at run time, and the rule ${rule} says no or ask of some`;
  const places = words.slice(1).flatMap((word) => [word ?? '', ...codeWords(word ?? '')].flatMap(pathsIn));
  const paths = new Set(await Promise.all(places.flatMap((place) => folders.map((at) => lenientRealPath(resolve(at, place))))));
  for (const path of paths) {
    const because = await holdsRefused(refusing, path);
    if (because !== null) return because;
  }
  return null;
}

/** What in a word may be a path: all of it, what follows a sign (`of=a`, `--out=a`), or a letter (`-oa`). */
function pathsIn(word: string): string[] {
  const values = word.split(/[=:,]/).slice(1);
  const attached = /^-\w(.+)$/s.exec(word)?.[1];
  return [...(word.startsWith('-') ? [] : [word]), ...values, ...(attached === undefined ? [] : [attached])].filter(
    (text) => text !== '',
  );
}

/** Why a path is one, or holds one, of which these rules speak; null where it is none. */
async function holdsRefused(refusing: readonly ReadyRule[], path: string, elsewhere?: ElsewhereFiles): Promise<string | null> {
  const ruleOn = (place: string) => refusing.find((ready) => ready.path?.matches(place) === true)?.rule;
  const own = ruleOn(path);
  if (own !== undefined) return `it names ${path}, of which a rule (${own.origin}) says ${own.behavior}`;
  const { found, isWhole } = await findBelow(path, (entry) => ruleOn(entry) !== undefined, {
    maxEntries: MAX_ENTRIES,
    ...(elsewhere === undefined ? {} : { entriesIn: entriesElsewhere(elsewhere) }),
  });
  const [first] = found;
  if (first === undefined) return isWhole ? null : `there is too much below ${path} to tell what rules say of it`;
  const rule = ruleOn(first);
  return `below it is ${first}, of which a rule (${rule?.origin}) says ${rule?.behavior}`;
}
