import { userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { AgentError } from '../core/errors.ts';
import { shortHash } from '../core/hash.ts';

/** Where this user's own files are. All are absolute. */
export interface UserFolders {
  readonly home: string;
  readonly config: string;
  readonly state: string;
}

/**
 * By the XDG base directories, below the home folder where they are not set.
 * Errors: AgentError `folder_missing` where neither the environment nor the system names a home.
 */
export function userFolders(environment: NodeJS.ProcessEnv): UserFolders {
  const home = absolute(environment['HOME']) ?? homeOfAccount();
  return {
    home,
    config: join(absolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'wield'),
    state: join(absolute(environment['XDG_STATE_HOME']) ?? join(home, '.local', 'state'), 'wield'),
  };
}

/** The folder of a project's sessions. */
export function sessionsFolder({ state }: UserFolders, cwd: string): string {
  return join(state, 'sessions', `${cwd.split('/').at(-1) ?? 'root'}-${shortHash(cwd)}`);
}

/** Where the contents of a project's files are kept. */
export function effectsFolder({ state }: UserFolders, cwd: string): string {
  return join(state, 'effects', `${basename(cwd) || 'root'}-${shortHash(cwd)}`);
}

/** Empty counts as not set, and a relative path is to be ignored: it would litter the workspace. Source: XDG Base Directory Specification. */
function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}

/** Not os.homedir(), which believes an empty HOME. */
function homeOfAccount(): string {
  const home = absolute(accountFolder());
  if (home !== null) return home;
  throw new AgentError({
    code: 'folder_missing',
    message: 'HOME names no absolute path, and this user has no home folder.',
    remedy: 'Set HOME to a folder of your own.',
  });
}

function accountFolder(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // A user id without an entry in the password file, as in many containers.
    return undefined;
  }
}
