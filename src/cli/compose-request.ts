import type { ComposeRequest } from '../app/compose.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import type { ChatFlags } from './args.ts';
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
    resumeId: flags.resume ?? null,
    sandbox: flags.sandbox ?? null,
    requireSandbox: flags.requireSandbox ?? false,
    acceptUnsandboxed: flags.acceptUnsandboxed ?? false,
    canAsk,
    firstPrompt,
  };
}
