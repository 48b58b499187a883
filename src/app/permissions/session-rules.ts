import { AgentError } from '../../core/errors.ts';
import type { PermissionRule } from '../../core/permission.ts';
import { readSession } from '../../sessions/read-session.ts';
import { pathOfSession } from '../past-session.ts';
import type { UserFolders } from '../user-folders.ts';

/** What a person allowed for a session, which no settings file holds. Errors: AgentError `session_unreadable`. */
export async function sessionRules(id: string, folders: UserFolders, cwd: string): Promise<readonly PermissionRule[]> {
  try {
    return (await readSession(await pathOfSession(id, folders, cwd))).rules;
  } catch (thrown) {
    // Nothing was written yet.
    if (thrown instanceof AgentError && thrown.code === 'session_missing') return [];
    throw thrown;
  }
}
