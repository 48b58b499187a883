import type { Resource } from '../core/footprint.ts';
import type { DecisionPart } from '../core/permission.ts';
import type { PathUse } from '../shell/report.ts';
import { deepPlace, isSystemPlace, type Place, type Reader } from './deep-reads.ts';
import { type Considered, type Gate, isInside, isOwnOutput } from './gate.ts';
import { configPlace, gitPlace } from './git/git-reads.ts';
import { considerRead, considerWrite, guardOf, secretOf } from './judge-files.ts';
import { treeReason } from './judge-trees.ts';
import { lenientRealPath } from './lenient-real-path.ts';
import { linkSteps } from './link-steps.ts';
import { isDevice, isRedirection } from './part-facts.ts';
import { rulesOnPlace } from './rules/rule-match.ts';

/** What the paths of one part of a command ask for. */
export interface PlacesOfPart {
  /** Those that ask on their own, whatever the part does, or that rules speak of. */
  readonly considered: readonly Considered[];
  /** Secret or outside, real: what a yes lets the command read. */
  readonly readable: readonly string[];
  /** Protected or outside, real: what a yes lets it write. */
  readonly writable: readonly string[];
  /** Why what it reads or writes is not known; null where it is. */
  readonly unknown: string | null;
}

/** Looks at all that a part reads and writes, by real path. */
export async function considerPlaces(gate: Gate, part: Reader): Promise<PlacesOfPart> {
  const [reads, writes] = await Promise.all([
    Promise.all([...part.reads.map((use) => readPlace(gate, part, use)), configPlace(gate, part)]),
    Promise.all(part.writes.map((use) => writePlace(gate, use))),
  ]);
  const considered = withoutRepeats([...reads, ...writes].flatMap((place) => place?.considered ?? []));
  const isSmall = isRedirection(part);
  const hasUnknown =
    part.reads.some((use) => use.path === null && use.isContent) || part.writes.some(({ path }) => path === null);
  return {
    considered: isSmall ? considered : considered.filter(isOfItsOwn).map((one) => (isOfWeight(one) ? one : unburdened(one))),
    readable: reads.flatMap((place) => place?.granted ?? []),
    writable: writes.flatMap((place) => place?.granted ?? []),
    unknown: hasUnknown
      ? 'what it reads is known only at run time'
      : (reads.find((place) => place?.unknown !== undefined)?.unknown ?? null),
  };
}

/** Several sources may come to lie at one place. */
function withoutRepeats(considered: readonly Considered[]): readonly Considered[] {
  const byText = new Map(considered.toReversed().map((one) => [`${one.part.text}\n${one.part.because}`, one]));
  return [...byText.values()].toReversed();
}

async function readPlace(gate: Gate, part: Reader, use: PathUse): Promise<Place | null> {
  if (use.path === null || isDevice(use.path)) return null;
  const path = await lenientRealPath(use.path);
  const resource: Resource = { kind: 'file', path };
  const isSecret = secretOf(gate, path, linkSteps(use.path)) !== null && !isOwnOutput(gate, path);
  // That something is there is no secret.
  if (!use.isContent && isInside(gate, path)) return null;
  if (isSystemPlace(path) && !isSecret && !isRefused(gate, resource))
    return use.isDeep && use.isContent ? deepPlace(gate, part, { path, use, considered: [] }) : null;
  const considered = await considerRead(gate, { tool: null, resource, written: use.path });
  if (part.gitFolder !== null && use.isContent && considered.part.decision === 'allow')
    return gitPlace(gate, part, { path, use, considered: [considered] });
  if (use.isDeep && use.isContent && considered.part.decision === 'allow')
    return deepPlace(gate, part, { path, use, considered: [considered] });
  const isBeyond = isSecret || !isInside(gate, path);
  return { considered: [considered], granted: isBeyond ? [path] : [] };
}

function isRefused(gate: Gate, resource: Resource): boolean {
  return rulesOnPlace(gate.rules, { resource, tool: null, access: 'read', isInside: false }).some(
    ({ behavior }) => behavior !== 'allow',
  );
}

async function writePlace(gate: Gate, use: PathUse): Promise<Place | null> {
  if (use.path === null || isDevice(use.path)) return null;
  const path = await lenientRealPath(use.path);
  const considered = await considerWrite(gate, { tool: null, resource: { kind: 'file', path }, written: use.path });
  const guard = await guardOf(gate);
  const steps = linkSteps(use.path);
  const isBeyond = guard(path, steps) !== null || secretOf(gate, path, steps) !== null || !isInside(gate, path);
  if (isBeyond || !use.isDeep) return { considered: [considered], granted: isBeyond ? [path] : [] };
  const reason = await treeReason(gate, { path, from: use.from, guard });
  if (reason === null) return { considered: [considered], granted: [] };
  const part: DecisionPart = { text: `write all of ${path}`, decision: 'ask', cause: 'protected', because: reason.because };
  return { considered: [considered, { part, rules: [] }], granted: reason.granted };
}

/** What a part does to a file of the workspace is decided with the part; what lies beyond, and what rules refuse, on its own. */
function isOfItsOwn(one: Considered): boolean {
  return isOfWeight(one) || one.rules.some(({ behavior }) => behavior !== 'allow');
}

function isOfWeight({ part: { decision, cause } }: Considered): boolean {
  return decision === 'ask' && cause !== 'writes' && cause !== 'destructive';
}

function unburdened({ part, rules }: Considered): Considered {
  return { part: { ...part, decision: 'allow' }, rules: rules.filter(({ behavior }) => behavior !== 'allow') };
}
