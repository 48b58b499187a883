import { openPermissionDesk } from '../app/permissions/permission-desk.ts';
import { sessionRules } from '../app/permissions/session-rules.ts';
import type { UserFolders } from '../app/user-folders.ts';
import type { PermissionMode } from '../core/permission.ts';
import { splitRules } from '../permissions/rules/rules.ts';
import type { ChatFlags } from './args/flags.ts';
import { renderRules } from './permissions-text.ts';

interface OpenSession {
  readonly id: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly folders: UserFolders;
}

/** `/permissions`: the rules of the settings, of the flags, and those that were allowed in this session. */
export async function sessionGateText(flags: ChatFlags, { id, cwd, mode, folders }: OpenSession): Promise<readonly string[]> {
  const [desk, own] = await Promise.all([
    openPermissionDesk({
      cwd,
      environment: process.env,
      permissionMode: mode,
      acceptUnsandboxed: flags.acceptUnsandboxed ?? false,
      allowedTools: (flags.allowedTools ?? []).flatMap(splitRules),
      disallowedTools: (flags.disallowedTools ?? []).flatMap(splitRules),
    }),
    sessionRules(id, folders, cwd),
  ]);
  return renderRules({ ...desk, rules: [...desk.rules, ...own] }).split('\n');
}
