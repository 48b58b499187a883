import { runCases } from '../app/permissions/permission-cases.ts';
import { openPermissionDesk, type PermissionDesk } from '../app/permissions/permission-desk.ts';
import { replayPermissions } from '../app/permissions/permission-replay.ts';
import { displayText } from '../core/display-text.ts';
import { AgentError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-value.ts';
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
  readonly input?: string;
}

/** `wield permissions explain`: what the gate would say of a call, part by part. */
export async function explainPermission(command: string | undefined, flags: ExplainFlags): Promise<number> {
  const input = await inputOf(command, flags);
  const desk = await openDesk(flags);
  warnOf(desk);
  const judgement = await desk.judge(flags.tool, input);
  await write(flags, judgementAsJson(judgement), () => renderJudgement(judgement));
  return 0;
}

/** A command as it is, or the input of any tool. Errors: AgentError `misuse`. */
async function inputOf(command: string | undefined, { input, tool }: ExplainFlags): Promise<JsonObject> {
  if (command !== undefined && input === undefined && tool === 'Bash') return { command };
  if (command === undefined && input !== undefined)
    return parseJsonInput(input === '-' ? await readStdin(true) : input, '{"command":"npm test"}');
  throw new AgentError({
    code: 'misuse',
    message:
      command === undefined
        ? 'There is no call to explain.'
        : 'There are two calls to explain: a command, and that of --tool or --input.',
    remedy: `Name a command, as in wield permissions explain 'npm test', or a call, as in --tool ReadFile --input '{"path":"a.txt"}'.`,
  });
}

/** `wield permissions list`: the rules that hold here, and where each stands. */
export async function listPermissions(flags: GateFlags): Promise<number> {
  const desk = await openDesk(flags);
  warnOfUnread(desk);
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
function warnOf(desk: PermissionDesk): void {
  for (const fault of desk.faults) process.stderr.write(`${displayText(fault)}\n`);
  warnOfUnread(desk);
}

function warnOfUnread({ unread }: PermissionDesk): void {
  if (unread.length === 0) return;
  const files = unread.map((path) => displayText(path)).join(' and ');
  process.stderr.write(
    `Not read, since this folder is not trusted: ${files}. Start wield here and say yes, or once with --trust.\n`,
  );
}

async function write({ json }: GateFlags, object: unknown, text: () => string): Promise<void> {
  await writeOut(`${json === true ? JSON.stringify(object) : text()}\n`);
}
