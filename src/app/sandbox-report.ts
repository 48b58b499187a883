import { type EscapeResult, runEscapeBattery } from '../host/sandbox/escape-battery.ts';
import { openSandbox } from '../host/sandbox/open-sandbox.ts';
import { realPlaceOf } from './real-place.ts';
import { userFolders } from './user-folders.ts';

export type { EscapeResult };

/** What confines commands on this machine; `why` says why nothing does. */
export interface SandboxState {
  readonly kind: 'bwrap' | 'seatbelt' | 'none';
  readonly why: string | null;
}

/** Whether commands in a folder can be confined, tried for real. Takes a real path. */
export async function sandboxState(workspace: string, environment: NodeJS.ProcessEnv): Promise<SandboxState> {
  const folders = userFolders(environment);
  const { kind, why } = await openSandbox({
    workspace,
    addDirs: [],
    home: realPlaceOf(folders.home),
    state: realPlaceOf(folders.state),
    config: realPlaceOf(folders.config),
    mode: 'workspace-write',
    environment,
  });
  return { kind, why };
}

/** Tries to get out of it in every known way, in a scratch place, and tells of each. */
export async function verifySandbox(onResult: (result: EscapeResult) => void): Promise<SandboxState> {
  const { kind, why } = await runEscapeBattery(onResult);
  return { kind, why };
}
