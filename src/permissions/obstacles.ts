import { realpathSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { isProgram } from '../host/process/is-program.ts';
import type { ShellPart } from '../shell/report.ts';
import { type Considered, type Gate, hasSandbox, isInside } from './gate.ts';
import { isReading } from './part-facts.ts';
import { gitDanger } from './git/repository-config.ts';

/** A part as it stands before what is in its way is looked for. */
interface OpenPart extends Considered {
  /** What it reads or writes is known only at run time. */
  readonly hasUnknown: boolean;
}

/** Why a part asks though it reads, is an accepted edit, or a rule covers it; null where nothing is in its way. */
export async function obstacleTo(gate: Gate, part: ShellPart, open: OpenPart): Promise<string | null> {
  const isAllowed = open.part.decision === 'allow';
  const isCovered = open.rules.some(({ behavior }) => behavior === 'allow');
  if (gate.options.mode === 'bypassPermissions' || !(isAllowed || isCovered)) return null;
  return (await dangerOf(gate, part, isOfSession(open))) ?? (isAllowed ? null : unconfined(gate, part, open));
}

/** What a part does may not be what it says: the name means a program of the project, or git would run one. */
async function dangerOf(gate: Gate, part: ShellPart, isAnswered: boolean): Promise<string | null> {
  const [name] = part.words;
  if (name !== undefined && name !== null && isOfWorkspace(gate, name))
    return `${name} is a program in the workspace here, and not the one of the system`;
  if (name !== 'git' && part.gitFolder === null) return null;
  if (part.gitFolder === null) return 'in which repository it works is known only at run time';
  return gitDanger(await gate.repositories.at(part.gitFolder), {
    roots: gate.options.roots,
    runsNoHooks: isReading(part) || isAnswered,
  });
}

/** Looks for a bare name as the shell will. */
function isOfWorkspace(gate: Gate, name: string): boolean {
  if (name.includes('/')) return false;
  const folders = (gate.options.environment?.['PATH'] ?? '').split(delimiter);
  const program = folders.map((folder) => resolve(gate.options.cwd, folder, name)).find(isProgram);
  return program !== undefined && (isInside(gate, program) || isInside(gate, realpathSync(program)));
}

/** What was allowed in this session was allowed by a person who was told what stands in the way. */
function isOfSession({ rules }: OpenPart): boolean {
  return rules.some(({ behavior, scope }) => behavior === 'allow' && scope === 'session');
}

/** Why rules alone do not let a part run here, or null. */
async function unconfined(gate: Gate, part: ShellPart, open: OpenPart): Promise<string | null> {
  const isHeavy = part.runsProjectCode || part.effect === 'acts' || open.hasUnknown;
  if (!isHeavy || isOfSession(open) || gate.options.acceptUnsandboxed === true || (await hasSandbox(gate))) return null;
  return 'there is no sandbox on this machine: it would run with your rights; --accept-unsandboxed accepts that';
}
