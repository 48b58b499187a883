import { runCases } from '../app/permissions/permission-cases.ts';
import { openPermissionDesk, type PermissionDesk } from '../app/permissions/permission-desk.ts';
import { replayPermissions } from '../app/permissions/permission-replay.ts';
import { displayText } from '../core/display-text.ts';
import type { PermissionMode } from '../core/permission.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import {
  casesAsJson,
  judgementAsJson,
  renderCases,
  renderJudgement,
  renderReplay,
  renderRules,
  replayAsJson,
  rulesAsJson,
} from './permissions-text.ts';
import { parseJsonInput } from './json-input.ts';
import { readStdin } from './read-stdin.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

/** The rules and the mode to judge with, besides those of the settings. */
export interface GateFlags {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly acceptUnsandboxed?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export interface ExplainFlags extends GateFlags {
  readonly tool: string;
  readonly input: string;
}

/** `wield permissions explain`: what the gate would say of a call, part by part. */
export async function explainPermission(flags: ExplainFlags): Promise<number> {
  const input = parseJsonInput(flags.input === '-' ? await readStdin(true) : (flags.input ?? null), '{"command":"npm test"}');
  const desk = await openDesk(flags);
  warnOf(desk);
  const judgement = await desk.judge(flags.tool, input);
  await write(flags, judgementAsJson(judgement), () => renderJudgement(judgement));
  return 0;
}

/** `wield permissions list`: the rules that hold here, and where each stands. */
export async function listPermissions(flags: GateFlags): Promise<number> {
  const desk = await openDesk(flags);
  await write(flags, rulesAsJson(desk), () => renderRules(desk));
  return 0;
}

/** `wield permissions test`: the cases of the settings. Exit 1 where one is not met. */
export async function testPermissions(flags: GateFlags): Promise<number> {
  const desk = await openDesk(flags);
  warnOf(desk);
  const results = await runCases(desk);
  await write(flags, casesAsJson(results), () => renderCases(results));
  return results.every(({ isMet }) => isMet) ? 0 : 1;
}

/** `wield permissions replay SESSION`: what the present rules would decide of a session's calls. */
export async function replaySession(id: string, flags: GateFlags): Promise<number> {
  const desk = await openDesk(flags);
  warnOf(desk);
  const calls = await replayPermissions(desk, id);
  await write(flags, replayAsJson(calls), () => renderReplay(calls));
  return 0;
}

async function openDesk({ cwd, allow, deny, permissionMode, acceptUnsandboxed }: GateFlags): Promise<PermissionDesk> {
  return openPermissionDesk({
    cwd: cwd ?? workingFolder(),
    environment: process.env,
    permissionMode: permissionMode ?? null,
    acceptUnsandboxed: acceptUnsandboxed ?? false,
    allowedTools: (allow ?? []).flatMap(splitRules),
    disallowedTools: (deny ?? []).flatMap(splitRules),
  });
}

/** Rules that match nothing would be looked for in vain. */
function warnOf({ faults }: PermissionDesk): void {
  for (const fault of faults) process.stderr.write(`${displayText(fault)}\n`);
}

async function write({ json }: GateFlags, object: unknown, text: () => string): Promise<void> {
  await writeOut(`${json === true ? JSON.stringify(object) : text()}\n`);
}
