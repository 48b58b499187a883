import { resolve } from 'node:path';
import type { ComposeRequest } from '../app/compose.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import type { ChatFlags } from './args/flags.ts';
import { workingFolder } from './working-folder.ts';

/** From flags to what a session is composed of. */
export function composeRequest(
  flags: ChatFlags,
  { canAsk, firstPrompt }: Pick<ComposeRequest, 'canAsk' | 'firstPrompt'>,
): ComposeRequest {
  return {
    cwd: flags.cwd ?? workingFolder(),
    environment: process.env,
    model: flags.model ?? null,
    permissionMode: flags.permissionMode ?? null,
    allowedTools: (flags.allowedTools ?? []).flatMap(splitRules),
    disallowedTools: (flags.disallowedTools ?? []).flatMap(splitRules),
    addDirs: flags.addDir ?? [],
    maxTurns: flags.maxTurns ?? null,
    appendSystemPrompt: flags.appendSystemPrompt ?? null,
    trust: flags.trust ?? false,
    continueLast: flags.continue ?? false,
    resumeId: typeof flags.resume === 'string' ? flags.resume : null,
    sessionId: flags.sessionId ?? null,
    forkSession: flags.forkSession ?? false,
    sandbox: flags.sandbox ?? null,
    requireSandbox: flags.requireSandbox ?? false,
    acceptUnsandboxed: flags.acceptUnsandboxed ?? false,
    ...(flags.record === undefined && flags.replay === undefined ? {} : { tape: tapeRequest(flags) }),
    canAsk,
    firstPrompt,
  };
}

/** Files are meant from where the command was started, whatever --cwd says. */
function tapeRequest({ record, replay, replaySpeed }: ChatFlags): NonNullable<ComposeRequest['tape']> {
  const place = (path: string | undefined): string | null => (path === undefined ? null : resolve(workingFolder(), path));
  return { record: place(record), replay: place(replay), replaySpeed: replaySpeed ?? null };
}
