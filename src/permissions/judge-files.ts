import { basename, delimiter, resolve } from 'node:path';
import { isWithin, type Resource } from '../core/footprint.ts';
import type { DecisionPart } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { type Considered, type Gate, isInside, isOwnOutput } from './gate.ts';
import { configSecret } from './git/git-tokens.ts';
import { aliasesOf, linkSteps, topLinks } from './link-steps.ts';
import { protection, secrecy } from './protected-paths.ts';
import { refusedBelow } from './rules/refused-places.ts';
import { type PlaceUse, rulesOnPlace } from './rules/rule-match.ts';

/** What is read or written, and by which tool; null for a command. */
export interface Use {
  readonly tool: Tool | null;
  readonly resource: Resource;
  /** The path before links were followed: a name on the way may be what governs a tool, or what keeps a secret. */
  readonly written?: string;
}

/** A read of a real path: it passes inside the workspace, unless it may show secrets. */
export async function considerRead(gate: Gate, use: Use): Promise<Considered> {
  const part = (await tokenPart(gate, use.resource)) ?? readPart(gate, use.resource, stepsOf(gate, use));
  const rules = rulesOnPlace(gate.rules, placeUse(gate, use, 'read'));
  const below = part.decision === 'allow' && rules.length === 0 ? await refusedIn(gate, use, 'read') : null;
  return below === null ? { part, rules } : { part: below, rules: [] };
}

/** A write to a real path: it asks, unless edits in the workspace are accepted; what governs tools asks always. */
export async function considerWrite(gate: Gate, use: Use): Promise<Considered> {
  const part = await writePart(gate, use);
  const rules = rulesOnPlace(gate.rules, placeUse(gate, use, 'write'));
  const isSettled = part.cause === 'protected' || part.cause === 'secret' || rules.some(({ behavior }) => behavior !== 'allow');
  const below = isSettled ? null : await refusedIn(gate, use, 'write');
  return below === null ? { part, rules } : { part: below, rules: [] };
}

async function refusedIn(gate: Gate, { tool, resource }: Use, access: PlaceUse['access']): Promise<DecisionPart | null> {
  return resource.kind === 'file' ? refusedBelow(gate, { tool, access, path: resource.path }) : null;
}

function placeUse(gate: Gate, { tool, resource }: Use, access: PlaceUse['access']): PlaceUse {
  const isInsideHere = resource.kind !== 'file' || isInside(gate, resource.path);
  return { resource, tool, access, isInside: isInsideHere };
}

function stepsOf({ options }: Gate, { written }: Use): readonly string[] {
  return written === undefined || options.elsewhere !== undefined ? [] : linkSteps(written);
}

/** Git's own configuration is secret where a token is in it. */
async function tokenPart({ options }: Gate, resource: Resource): Promise<DecisionPart | null> {
  const secret = resource.kind === 'file' ? await configSecret(resource.path, options.elsewhere === undefined) : null;
  if (resource.kind !== 'file' || secret === null) return null;
  return { text: `read ${resource.path}`, decision: 'ask', cause: 'secret', because: secret };
}

function readPart(gate: Gate, resource: Resource, steps: readonly string[]): DecisionPart {
  if (resource.kind === 'net' && gate.options.mode === 'bypassPermissions') return bypassed(resource.host);
  if (resource.kind === 'net')
    return { text: resource.host, decision: 'ask', cause: 'network', because: `it fetches from ${resource.host}` };
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'reads', because: `it reads from ${resource.kind}` };
  const { path } = resource;
  const text = `read ${path}`;
  if (isOwnOutput(gate, path)) return { text, decision: 'allow', cause: 'reads', because: 'it is output of this session' };
  const secret = secretOf(gate, path, steps);
  if (secret !== null) return { text, decision: 'ask', cause: 'secret', because: secret };
  if (isInside(gate, path)) return { text, decision: 'allow', cause: 'reads', because: 'it is inside the workspace' };
  if (gate.options.mode === 'bypassPermissions') return bypassed(text);
  return { text, decision: 'ask', cause: 'outside', because: `${path} is outside the workspace` };
}

async function writePart(gate: Gate, use: Use): Promise<DecisionPart> {
  const { tool, resource } = use;
  const { mode } = gate.options;
  if (resource.kind === 'job')
    return { text: resource.id, decision: 'allow', cause: 'writes', because: 'it is a job of this session' };
  if (resource.kind === 'agent')
    return { text: 'a sub-agent', decision: 'allow', cause: 'runs', because: 'each call of a sub-agent is judged itself' };
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'writes', because: `it changes ${resource.kind}` };
  const { path } = resource;
  const text = `write ${path}`;
  const steps = stepsOf(gate, use);
  const guarded = (await guardOf(gate))(path, steps);
  if (guarded !== null) return { text, decision: 'ask', cause: 'protected', because: guarded };
  const secret = secretOf(gate, path, steps);
  if (secret !== null) return { text, decision: 'ask', cause: 'secret', because: secret };
  if (mode === 'bypassPermissions') return bypassed(text);
  if (!isInside(gate, path)) return { text, decision: 'ask', cause: 'outside', because: `${path} is outside the workspace` };
  const isDestructive = tool?.isDestructive === true;
  if (mode === 'acceptEdits' && !isDestructive)
    return { text, decision: 'allow', cause: 'mode', because: 'edits in the workspace are accepted' };
  return { text, decision: 'ask', cause: isDestructive ? 'destructive' : 'writes', because: `it changes ${path}` };
}

function bypassed(text: string): DecisionPart {
  return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
}

/** Why a write to a real path asks in every mode, or null. `steps` are the names by which links lead to it. */
export type WriteGuard = (path: string, steps?: readonly string[]) => string | null;

/** What guards the workspace as its links stand now. */
export async function guardOf(gate: Gate): Promise<WriteGuard> {
  const links = gate.options.elsewhere === undefined ? await topLinks(gate.options.roots) : [];
  const programs = programFolders(gate.options);
  return (path, steps = []) => {
    const own = guardOfName(gate, path, programs);
    if (own !== null) return own;
    const names = [...steps, ...aliasesOf(path, links)];
    const guarded = names.find((name) => guardOfName(gate, name, programs) !== null);
    return guarded === undefined ? null : `it is reached as ${guarded}: ${guardOfName(gate, guarded, programs)}`;
  };
}

function guardOfName({ options, rules }: Gate, path: string, programs: readonly string[]): string | null {
  const guarded = protection(path, options.ownFolders);
  if (guarded !== null || options.mode === 'bypassPermissions') return guarded;
  const onPath = programs.find((folder) => isWithin(path, folder));
  if (onPath !== undefined) return `${onPath} is on PATH: what stands there runs by its name`;
  // An allowed `npm test` runs what stands there.
  if (basename(path).toLowerCase() !== 'package.json') return null;
  const runner = rules.find(
    ({ rule, command }) => rule.behavior === 'allow' && rule.tool !== 'Network' && SCRIPT_RUNNERS.has(command?.words[0] ?? ''),
  );
  return runner === undefined ? null : `its scripts run unasked, by the rule ${runner.rule.tool}(${runner.rule.specifier})`;
}

/** The folders of PATH that stand in the workspace, below its top. */
function programFolders({ environment, cwd, roots }: Gate['options']): readonly string[] {
  const folders = (environment?.['PATH'] ?? '').split(delimiter).map((folder) => resolve(cwd, folder));
  return folders.filter((folder) => roots.some((root) => folder !== root && isWithin(folder, root)));
}

const SCRIPT_RUNNERS: ReadonlySet<string> = new Set([
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bun',
  'node',
  'corepack',
  'nx',
  'turbo',
  'lerna',
]);

/** Why a read of a real path asks in every mode, or null. `steps` are the names by which links lead to it. */
export function secretOf({ options }: Gate, path: string, steps: readonly string[] = []): string | null {
  const isOwn = (options.ownFolders ?? []).some((folder) => isWithin(path, folder));
  if (isOwn) return 'these are settings and sessions of this program';
  return [path, ...steps].map((name) => secrecy(name, options.home)).find((secret) => secret !== null) ?? null;
}
