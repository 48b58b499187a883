import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { lazySandbox } from '../app/lazy-sandbox.ts';
import { lazyWeb } from '../app/lazy-web.ts';
import { realFolder } from '../app/real-folder.ts';
import { realPlaceOf } from '../app/real-place.ts';
import { userFolders } from '../app/user-folders.ts';
import type { Backend, Machine } from '../core/backend.ts';
import type { SandboxMode } from '../core/permission.ts';
import { createLocalFiles } from '../host/files/local-files.ts';
import { SpillStore } from '../host/files/spill.ts';
import { createLocalGit, findGit } from '../host/git/git.ts';
import { createJobTable } from '../host/process/job-table.ts';
import { createLocalShell } from '../host/process/local-shell.ts';
import { createLocalSearch } from '../host/search/local-search.ts';

/** Which folder of this machine, and what commands may do to it. */
export interface LocalBackendOptions {
  /** The project root: where commands run and what counts as inside. */
  readonly cwd: string;
  /** What commands may write, where this machine can confine them. Default `workspace-write`. */
  readonly sandbox?: SandboxMode;
  /** Records what a model has seen, so that WriteFile refuses to replace what it has not. Default true. */
  readonly tracksSeen?: boolean;
  /** Where home, keys of git and programs are looked for. Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

type DeniedListener = Parameters<Machine['onDenied']>[0];

/** This machine: its files, its shell in a sandbox where there is one, its git. Errors: AgentError `folder_missing`. */
export function createLocalBackend(options: LocalBackendOptions): Backend {
  const { sandbox: mode = 'workspace-write', tracksSeen = true, environment = process.env } = options;
  const cwd = realFolder(options.cwd);
  const folders = userFolders(environment);
  const outputs = new SpillStore(join(folders.state, 'output', randomUUID()));
  const sandbox = lazySandbox({ cwd, addDirs: [], folders, environment, sandbox: mode });
  const listeners: DeniedListener[] = [];
  const commands = {
    spills: outputs,
    environment,
    sandbox,
    onDenied: (command: string, { network, writes }: { network: boolean; writes: readonly string[] }): void => {
      for (const listener of listeners) listener(command, { ...(network ? { network } : {}), writable: writes });
    },
  };
  const jobs = createJobTable(commands);
  const hasGit = findGit({ environment, workspace: cwd }) !== null;
  return {
    cwd,
    files: createLocalFiles({ tracksSeen, journalFolder: join(folders.state, 'writes') }),
    search: createLocalSearch(null, [cwd]),
    outputs,
    shell: createLocalShell(commands),
    jobs,
    web: lazyWeb(),
    ...(hasGit ? { git: createLocalGit({ environment, workspace: cwd }) } : {}),
    machine: {
      // Calls are judged by real paths, and a home or a state folder may stand behind a link.
      home: realPlaceOf(folders.home),
      ownFolders: [realPlaceOf(folders.config), realPlaceOf(folders.state)],
      environment,
      isConfined: async () => (await sandbox()).kind !== 'none',
      onDenied: (listener) => void listeners.push(listener),
    },
    close: async () => {
      await jobs.endAll();
      (await sandbox()).close();
    },
  };
}
