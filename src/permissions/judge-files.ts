import { basename } from 'node:path';
import { isWithin, type Resource } from '../core/footprint.ts';
import type { DecisionPart } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { type Considered, type Gate, isInside, isOwnOutput } from './gate.ts';
import { findBelow } from './find-below.ts';
import { protection, secrecy } from './protected-paths.ts';
import { type PlaceUse, rulesOnPlace, speaksOfUse } from './rule-match.ts';

/** What is read or written, and by which tool; null for a command. */
export interface Use {
  readonly tool: Tool | null;
  readonly resource: Resource;
}

/** A read of a real path: it passes inside the workspace, unless it may show secrets. */
export async function considerRead(gate: Gate, use: Use): Promise<Considered> {
  const part = readPart(gate, use.resource);
  const rules = rulesOnPlace(gate.rules, placeUse(gate, use, 'read'));
  const below = part.decision === 'allow' && rules.length === 0 ? await refusedBelow(gate, use) : null;
  return below === null ? { part, rules } : { part: below, rules: [] };
}

/** A write to a real path: it asks, unless edits in the workspace are accepted; what governs tools asks always. */
export function considerWrite(gate: Gate, use: Use): Considered {
  return { part: writePart(gate, use), rules: rulesOnPlace(gate.rules, placeUse(gate, use, 'write')) };
}

function placeUse(gate: Gate, { tool, resource }: Use, access: PlaceUse['access']): PlaceUse {
  const isInsideHere = resource.kind !== 'file' || isInside(gate, resource.path);
  return { resource, tool, access, isInside: isInsideHere };
}

function readPart(gate: Gate, resource: Resource): DecisionPart {
  if (resource.kind === 'net')
    return { text: resource.host, decision: 'ask', cause: 'network', because: `it fetches from ${resource.host}` };
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'reads', because: `it reads from ${resource.kind}` };
  const { path } = resource;
  const text = `read ${path}`;
  if (isOwnOutput(gate, path)) return { text, decision: 'allow', cause: 'reads', because: 'it is output of this session' };
  const secret = secretOf(gate, path);
  if (secret !== null) return { text, decision: 'ask', cause: 'secret', because: secret };
  if (isInside(gate, path)) return { text, decision: 'allow', cause: 'reads', because: 'it is inside the workspace' };
  if (gate.options.mode === 'bypassPermissions') return bypassed(text);
  return { text, decision: 'ask', cause: 'outside', because: `${path} is outside the workspace` };
}

function writePart(gate: Gate, { tool, resource }: Use): DecisionPart {
  const { mode } = gate.options;
  if (resource.kind === 'job')
    return { text: resource.id, decision: 'allow', cause: 'writes', because: 'it is a job of this session' };
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'writes', because: `it changes ${resource.kind}` };
  const { path } = resource;
  const text = `write ${path}`;
  const guarded = guardOf(gate, path);
  if (guarded !== null) return { text, decision: 'ask', cause: 'protected', because: guarded };
  const secret = secretOf(gate, path);
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

/** Why a write to a real path asks in every mode, or null. */
export function guardOf({ options, rules }: Gate, path: string): string | null {
  const guarded = protection(path, options.ownFolders);
  if (guarded !== null || options.mode === 'bypassPermissions') return guarded;
  // An allowed `npm test` runs what stands there.
  if (basename(path).toLowerCase() !== 'package.json') return null;
  const runner = rules.find(
    ({ rule, command }) => rule.behavior === 'allow' && rule.tool !== 'Network' && SCRIPT_RUNNERS.has(command?.words[0] ?? ''),
  );
  return runner === undefined ? null : `its scripts run unasked, by the rule ${runner.rule.tool}(${runner.rule.specifier})`;
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

/** Why a read of a real path asks in every mode, or null. */
export function secretOf({ options }: Gate, path: string): string | null {
  const isOwn = (options.ownFolders ?? []).some((folder) => isWithin(path, folder));
  return isOwn ? 'these are settings and sessions of this program' : secrecy(path, options.home);
}

/** A search or a look at a folder reaches what rules refuse below it. */
async function refusedBelow(gate: Gate, { tool, resource }: Use): Promise<DecisionPart | null> {
  if (resource.kind !== 'file') return null;
  const refusing = gate.rules.filter(
    ({ rule }) => rule.behavior !== 'allow' && rule.specifier !== null && speaksOfUse(rule, tool, 'read'),
  );
  if (refusing.length === 0) return null;
  const ruleOn = (path: string) =>
    rulesOnPlace(refusing, { resource: { kind: 'file', path }, tool, access: 'read', isInside: true })[0];
  const [found] = await findBelow(resource.path, (path) => ruleOn(path) !== undefined).then(({ found }) => found);
  const rule = found === undefined ? undefined : ruleOn(found);
  if (found === undefined || rule === undefined) return null;
  const because = `below it is ${found}, of which a rule (${rule.origin}) says ${rule.behavior}`;
  return { text: `read ${resource.path}`, decision: 'ask', cause: 'rule', because, rule };
}
