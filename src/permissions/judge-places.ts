import { join } from 'node:path';
import { isWithin, type Resource } from '../core/footprint.ts';
import type { DecisionPart } from '../core/permission.ts';
import { realPathOf } from '../host/files/real-path.ts';
import type { PathUse, ShellPart } from '../shell/report.ts';
import { findBelow, findNamed } from './find-below.ts';
import { type Considered, type Gate, isInside, isOwnOutput } from './gate.ts';
import { isDevice, isRedirection } from './part-facts.ts';
import { considerRead, considerWrite, guardOf, secretOf } from './judge-files.ts';

// What every program of the machine reads. What is secret there is asked about before.
const SYSTEM_PLACES = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc'];
const SYSTEM_FACTS = /^\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems)$/;
// Nobody keeps secrets here, and there is much to look at.
const PROGRAM_PLACES = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];

/** What the paths of one part of a command ask for. */
export interface PlacesOfPart {
  /** Those that ask on their own, whatever the part does, or that rules speak of. */
  readonly considered: readonly Considered[];
  /** Secret or outside, real: what a yes lets the command read. */
  readonly readable: readonly string[];
  /** Protected or outside, real: what a yes lets it write. */
  readonly writable: readonly string[];
  /** What it reads or writes is known only at run time. */
  readonly hasUnknown: boolean;
}

/** Looks at all that a part reads and writes, by real path. */
export async function considerPlaces(gate: Gate, part: ShellPart): Promise<PlacesOfPart> {
  const [reads, writes] = await Promise.all([
    Promise.all(part.reads.map((use) => readPlace(gate, part, use))),
    Promise.all(part.writes.map((use) => writePlace(gate, use))),
  ]);
  const considered = [...reads, ...writes].flatMap((place) => place?.considered ?? []);
  const isSmall = isRedirection(part);
  return {
    considered: isSmall ? considered : considered.filter(isOfItsOwn).map((one) => (isOfWeight(one) ? one : unburdened(one))),
    readable: reads.flatMap((place) => place?.granted ?? []),
    writable: writes.flatMap((place) => place?.granted ?? []),
    hasUnknown: part.reads.some((use) => use.path === null && use.isContent) || part.writes.some(({ path }) => path === null),
  };
}

interface Place {
  readonly considered: readonly Considered[];
  readonly granted: readonly string[];
}

async function readPlace(gate: Gate, part: ShellPart, use: PathUse): Promise<Place | null> {
  if (use.path === null || isDevice(use.path)) return null;
  const path = await lenientRealPath(use.path);
  const resource: Resource = { kind: 'file', path };
  const isSecret = secretOf(gate, path) !== null && !isOwnOutput(gate, path);
  // That something is there is no secret.
  if (!use.isContent && isInside(gate, path)) return null;
  if (isSystemPlace(path) && !isSecret)
    return use.isDeep && use.isContent ? deepPlace(gate, { path, use, considered: [] }) : null;
  const considered = await considerRead(gate, { tool: null, resource });
  if (use.isDeep && use.isContent && considered.part.decision === 'allow')
    return readsTrackedOnly(part)
      ? trackedPlace(gate, part, path, considered)
      : deepPlace(gate, { path, use, considered: [considered] });
  const isBeyond = isSecret || !isInside(gate, path);
  return { considered: [considered], granted: isBeyond ? [path] : [] };
}

interface DeepRead {
  /** A real path. */
  readonly path: string;
  readonly use: PathUse;
  readonly considered: readonly Considered[];
}

/** A folder whose content is read: what is secret below it is asked about by name. */
async function deepPlace(gate: Gate, { path, use, considered }: DeepRead): Promise<Place> {
  if (gate.options.mode === 'bypassPermissions' || PROGRAM_PLACES.some((place) => isWithin(path, place)))
    return { considered, granted: [] };
  const isWanted = async (entry: string, isLink: boolean): Promise<boolean> => {
    if (secretOf(gate, entry) !== null) return true;
    return isLink && !isReadable(gate, await lenientRealPath(entry));
  };
  const { found, isWhole } = await (use.namesLike === undefined
    ? findBelow(path, isWanted)
    : findNamed(path, use.namesLike, isWanted));
  const [first] = found;
  if (first === undefined && isWhole) return { considered, granted: [] };
  const part = first === undefined ? tooMuch(path) : foundBelow(gate, path, first);
  const granted = isWhole ? await Promise.all(found.map(lenientRealPath)) : [path];
  return { considered: [...considered, { part, rules: [] }], granted };
}

/** A repository that git looks at: it shows the content of what it tracks. */
async function trackedPlace(gate: Gate, part: ShellPart, path: string, considered: Considered): Promise<Place> {
  if (gate.options.mode === 'bypassPermissions') return { considered: [considered], granted: [] };
  const look = await gate.repositories.at(path);
  // What cannot be looked at is asked about for that, with the part.
  const tracked = 'tracked' in look ? (look.tracked ?? []) : [];
  const found = [...namedIn(part, path), ...tracked].filter((file) => secretOf(gate, file) !== null);
  const [first] = found;
  if (first === undefined) return { considered: [considered], granted: [] };
  return { considered: [considered, { part: foundBelow(gate, path, first), rules: [] }], granted: found };
}

/** `git grep --no-index` and its like read what is not tracked; git takes any beginning of an option for it. What else git shows is tracked. */
function readsTrackedOnly({ gitFolder, words }: ShellPart): boolean {
  if (gitFolder === null || !words.includes('grep')) return gitFolder !== null;
  return words.every((word) => word !== null && !/^--(?:no-[ie]|u)/.test(word));
}

/** What may be meant by words such as `HEAD:.env` or `-L1,9:.env`: a file that was tracked once. */
function namedIn({ words }: ShellPart, folder: string): string[] {
  const naming = words.filter((word): word is string => word !== null && (word.includes(':') || !word.startsWith('-')));
  return naming.map((word) => join(folder, word.slice(word.lastIndexOf(':') + 1)));
}

function foundBelow(gate: Gate, path: string, found: string): DecisionPart {
  const secret = secretOf(gate, found);
  return {
    text: `read all of ${path}`,
    decision: 'ask',
    cause: secret === null ? 'outside' : 'secret',
    because: secret === null ? `below it the link ${found} leads out of the workspace` : `below it is ${found}: ${secret}`,
  };
}

function tooMuch(path: string): DecisionPart {
  const because = 'there is too much below it to tell whether it holds secrets';
  return { text: `read all of ${path}`, decision: 'ask', cause: 'unclear', because };
}

async function writePlace(gate: Gate, use: PathUse): Promise<Place | null> {
  if (use.path === null || isDevice(use.path)) return null;
  const path = await lenientRealPath(use.path);
  const considered = considerWrite(gate, { tool: null, resource: { kind: 'file', path } });
  const isBeyond = guardOf(gate, path) !== null || secretOf(gate, path) !== null || !isInside(gate, path);
  if (isBeyond || !use.isDeep) return { considered: [considered], granted: isBeyond ? [path] : [] };
  const { found } = await findBelow(path, (entry) => guardOf(gate, entry) !== null);
  const [first] = found;
  if (first === undefined) return { considered: [considered], granted: [] };
  const because = `below it is ${first}: ${guardOf(gate, first)}`;
  const part: DecisionPart = { text: `write all of ${path}`, decision: 'ask', cause: 'protected', because };
  return { considered: [considered, { part, rules: [] }], granted: found };
}

/** True for a real path whose content passes unasked. */
function isReadable(gate: Gate, path: string): boolean {
  return (isInside(gate, path) || isSystemPlace(path)) && secretOf(gate, path) === null;
}

function isSystemPlace(path: string): boolean {
  return SYSTEM_PLACES.some((place) => isWithin(path, place)) || SYSTEM_FACTS.test(path);
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

/** A path that cannot be resolved (a cycle of links, a locked folder) is judged as written; opening it will fail and say why. */
export async function lenientRealPath(path: string): Promise<string> {
  return realPathOf(path).catch(() => path);
}
