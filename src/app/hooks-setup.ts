import { join } from 'node:path';
import type { PermissionMode } from '../core/permission.ts';
import type { Hook, Lifecycle } from '../core/ports.ts';
import { SpillStore } from '../host/files/spill.ts';
import { commandEnvironment } from '../host/process/command-environment.ts';
import type { HookSettings } from '../hooks/hook-settings.ts';
import type { SettingsLayer } from './settings.ts';
import type { UserFolders } from './user-folders.ts';

/** The hooks of a session; without any there is no lifecycle either. */
export interface SessionHooks {
  readonly hooks: readonly Hook[];
  readonly lifecycle: Lifecycle | null;
  /** What a person should know of them, a line each. */
  readonly notices: readonly string[];
}

interface HooksRequest {
  readonly layers: readonly SettingsLayer[];
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly session: { readonly id: string; readonly path: string };
  readonly folders: UserFolders;
  readonly environment: NodeJS.ProcessEnv;
  aliasOf(tool: string): string | null;
}

const NONE: SessionHooks = { hooks: [], lifecycle: null, notices: [] };

/** From settings to hooks. Nothing of them is loaded where there are none. Errors: AgentError `config_unreadable`. */
export async function setupHooks(request: HooksRequest): Promise<SessionHooks> {
  const { layers, cwd, mode, session, folders, environment, aliasOf } = request;
  const configured = layers.filter(({ settings }) => settings.hooks !== undefined);
  if (configured.length === 0) return NONE;
  const { readHooks } = await import('../hooks/read-hooks.ts');
  // The schema of the settings has admitted it.
  const read = configured.map(({ settings, origin }) => readHooks(settings.hooks as HookSettings, origin));
  const commands = read.flatMap(({ hooks }) => hooks);
  const notices = read.flatMap(({ faults }) => faults);
  if (commands.length === 0) return { ...NONE, notices };
  const { createCommandHooks } = await import('../hooks/command-hooks.ts');
  const { hook, lifecycle } = createCommandHooks(commands, {
    cwd,
    env: { ...commandEnvironment(environment), WIELD_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd },
    spills: new SpillStore(join(folders.state, 'output', session.id)),
    facts: { session_id: session.id, transcript_path: session.path, cwd, permission_mode: mode },
    aliasOf,
  });
  return { hooks: [hook], lifecycle, notices };
}
