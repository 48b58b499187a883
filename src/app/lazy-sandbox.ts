import type { SandboxMode } from '../core/permission.ts';
import type { Sandbox, SandboxPlace } from '../host/sandbox/sandbox.ts';
import { realPlaceOf } from './real-place.ts';
import type { UserFolders } from './user-folders.ts';

export interface SandboxRequest {
  /** A real path, as are the others. */
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly folders: UserFolders;
  readonly environment: NodeJS.ProcessEnv;
  /** Null or not said is `workspace-write`. */
  readonly sandbox?: SandboxMode | null;
}

/** Looks for a sandbox once, when it is first asked for: a tool that runs no command never waits for it. */
export function lazySandbox({ cwd, addDirs, folders, environment, sandbox: mode }: SandboxRequest): () => Promise<Sandbox> {
  let opened: Promise<Sandbox> | null = null;
  return () => {
    opened ??= open({
      workspace: cwd,
      addDirs,
      // Calls are judged by real paths, and a home or a state folder may stand behind a link.
      home: realPlaceOf(folders.home),
      state: realPlaceOf(folders.state),
      config: realPlaceOf(folders.config),
      mode: mode ?? 'workspace-write',
      environment,
    });
    return opened;
  };
}

async function open(place: SandboxPlace): Promise<Sandbox> {
  const { openSandbox } = await import('../host/sandbox/open-sandbox.ts');
  return openSandbox(place);
}
