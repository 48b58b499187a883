import { basename, join } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import type { DecisionPart } from '../core/permission.ts';
import type { PathUse, ShellPart } from '../shell/report.ts';
import { findBelow, findNamed } from './find-below.ts';
import { type Considered, type Gate, isInside } from './gate.ts';
import { configSecret } from './git/git-tokens.ts';
import { secretOf } from './judge-files.ts';
import { lenientRealPath } from './lenient-real-path.ts';
import { isSearch } from './part-facts.ts';

// What every program of the machine reads. What is secret there is asked about before.
const SYSTEM_PLACES = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc'];
const SYSTEM_FACTS = /^\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems)$/;
// Nobody keeps secrets here, and there is much to look at.
const PROGRAM_PLACES = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];

/** A part, and whether it or what hands it its files follows links below folders. */
export interface Reader extends ShellPart {
  readonly followsLinks: boolean;
}

/** What is to be said of one path of a part. */
export interface Place {
  readonly considered: readonly Considered[];
  readonly granted: readonly string[];
  /** Why it is not known what is read there, where it is not. A rule for the command may answer for that. */
  readonly unknown?: string;
}

/** A folder whose content is read, and what was considered of it before. */
export interface DeepRead {
  /** A real path. */
  readonly path: string;
  readonly use: PathUse;
  readonly considered: readonly Considered[];
}

/** A folder whose content is read: what is secret below it is asked about by name. */
export async function deepPlace(gate: Gate, reader: Reader, { path, use, considered }: DeepRead): Promise<Place> {
  if (gate.options.mode === 'bypassPermissions' || PROGRAM_PLACES.some((place) => isWithin(path, place)))
    return { considered, granted: [] };
  const isWanted = async (entry: string, isLink: boolean): Promise<boolean> => {
    if ((await secretAt(gate, entry)) !== null) return true;
    return isLink && !isReadable(gate, await lenientRealPath(entry));
  };
  const { found, isWhole } = await (use.namesLike === undefined
    ? findBelow(path, isWanted, { followsLinks: reader.followsLinks })
    : findNamed(path, use.namesLike, isWanted));
  const [first] = found;
  if (first === undefined && isWhole) return { considered, granted: [] };
  const part = first === undefined ? tooMuch(path) : await foundBelow(gate, reader, { path, found: first });
  const granted = isWhole ? await Promise.all(found.map(lenientRealPath)) : [path];
  return { considered: [...considered, { part, rules: [] }], granted };
}

/** The question about a folder for what lies below it. */
export async function foundBelow(
  gate: Gate,
  reader: ShellPart,
  { path, found }: { readonly path: string; readonly found: string },
): Promise<DecisionPart> {
  const secret = await secretAt(gate, found);
  const advice = isSearch(reader) ? '; the Grep tool leaves such files out' : '';
  return {
    text: `read all of ${path}`,
    decision: 'ask',
    cause: secret === null ? 'outside' : 'secret',
    because:
      secret === null ? `below it the link ${found} leads out of the workspace` : `below it is ${found}: ${secret}${advice}`,
  };
}

/** Why what lies in a folder is secret, by its name or, of git's own, by what is in it; null where it is not. */
async function secretAt(gate: Gate, path: string): Promise<string | null> {
  return secretOf(gate, path) ?? (await configSecret(basename(path) === '.git' ? join(path, 'config') : path));
}

function tooMuch(path: string): DecisionPart {
  const because = 'there is too much below it to tell whether it holds secrets';
  return { text: `read all of ${path}`, decision: 'ask', cause: 'unclear', because };
}

/** True for a real path whose content passes unasked. */
function isReadable(gate: Gate, path: string): boolean {
  return (isInside(gate, path) || isSystemPlace(path)) && secretOf(gate, path) === null;
}

/** True for a real path that every program of the machine may read. */
export function isSystemPlace(path: string): boolean {
  return SYSTEM_PLACES.some((place) => isWithin(path, place)) || SYSTEM_FACTS.test(path);
}
