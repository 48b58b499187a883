import { homedir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from '../core/hash.ts';

/** Where this user's own files are. */
export interface UserFolders {
  readonly home: string;
  readonly config: string;
  readonly state: string;
}

/** By the XDG base directories, below the home folder where they are not set. */
export function userFolders(environment: NodeJS.ProcessEnv): UserFolders {
  const home = environment['HOME'] ?? homedir();
  return {
    home,
    config: join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'wield'),
    state: join(environment['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'wield'),
  };
}

/** The folder of a project's sessions. */
export function sessionsFolder({ state }: UserFolders, cwd: string): string {
  return join(state, 'sessions', `${cwd.split('/').at(-1) ?? 'root'}-${shortHash(cwd)}`);
}
