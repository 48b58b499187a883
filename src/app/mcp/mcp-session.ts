import type { PermissionMode, SandboxMode } from '../../core/permission.ts';
import { TodoList } from '../../core/todo-list.ts';
import type { ServedTools } from '../../mcp/server/served-tools.ts';
import { openSessionLog } from '../../sessions/session-log.ts';
import { composeTools } from '../compose-tools.ts';
import { realFolder } from '../real-folder.ts';
import { DIRECT_STEPS } from '../direct-steps.ts';
import { setupHooks } from '../hooks-setup.ts';
import { McpCalls } from './mcp-calls.ts';
import { CallRecorder } from './mcp-record.ts';
import { pastSession } from '../past-session.ts';
import { permissionRules, type RuleFlags } from '../permissions/permission-rules.ts';
import { sandboxNotices } from '../sandbox-notices.ts';
import { readSettings, type SettingsLayer } from '../settings.ts';
import { openTrustStore, trustNotices } from '../trust-survey.ts';
import { setupUndo } from '../undo/undo-setup.ts';
import { userFolders } from '../user-folders.ts';

/** What a server was asked to be. Null is not said. */
export interface McpSessionRequest extends RuleFlags {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly permissionMode: PermissionMode | null;
  readonly addDirs: readonly string[];
  readonly trust: boolean;
  readonly sandbox: SandboxMode | null;
  readonly requireSandbox: boolean;
  readonly acceptUnsandboxed: boolean;
  /** Tells whoever runs the server a line. */
  notify(text: string): void;
}

/** The tools of a folder for a client of the protocol, which is a session like any other. */
export interface McpSession {
  readonly tools: ServedTools;
  /** What a model is to know of these tools together. */
  readonly instructions: string;
  /** What a person should know, a line each. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** From settings and request to tools behind the gate. Errors: AgentError. */
export async function composeMcpSession(request: McpSessionRequest): Promise<McpSession> {
  const { environment, notify } = request;
  const folders = userFolders(environment);
  const cwd = realFolder(request.cwd);
  const addDirs = request.addDirs.map(realFolder);
  const trust = openTrustStore(folders);
  if (request.trust) await trust.trust(cwd);
  const trustState = await trust.check(cwd);
  const layers = await readSettings(cwd, folders, trustState === 'trusted');
  const { rules, faults } = permissionRules(request, layers);
  const mode = request.permissionMode ?? first(layers, 'permissionMode') ?? 'default';
  const sandboxMode = request.sandbox ?? first(layers, 'sandbox');
  const session = await pastSession({ continueLast: false, resumeId: null, sessionId: null, forkSession: false }, folders, cwd);
  const todos = new TodoList();
  const workbench = composeTools({
    cwd,
    addDirs,
    mode,
    rules,
    toolNames: first(layers, 'toolNames') ?? 'PascalCase',
    bashTimeoutMs: first(layers, 'bashTimeoutMs'),
    tracksSeen: true,
    folders,
    environment,
    sessionId: session.id,
    todos,
    // A client shows its model what that can take.
    seesImages: true,
    sandbox: sandboxMode,
    acceptUnsandboxed: request.acceptUnsandboxed || sandboxMode === 'danger-full-access',
  });
  const [sandbox, own] = await Promise.all([
    workbench.sandbox(),
    setupHooks({
      layers,
      cwd,
      mode,
      session,
      folders,
      environment,
      aliasOf: (name) => workbench.registry.get(name)?.aliases?.snakeCase ?? null,
    }),
  ]);
  const sandboxNotes = sandboxNotices(sandbox, request.requireSandbox);
  const createdAt = new Date().toISOString();
  const log = openSessionLog(session.path, { type: 'session', version: 1, id: session.id, cwd, model: 'mcp', createdAt });
  const effects = setupUndo({
    isOn: first(layers, 'undo') ?? true,
    cwd,
    addDirs,
    folders,
    session,
    log,
    jobs: workbench.jobs,
  });
  const recorder = new CallRecorder((event) => effects.log.append(event));
  todos.onChange((list) => recorder.append({ type: 'todos', list }));
  const tools = new McpCalls({
    registry: workbench.registry,
    log: effects.log,
    journal: effects.journal,
    tools: { ...workbench.runnerOptions(effects.journal), hooks: own.hooks },
    steps: DIRECT_STEPS,
    recorder,
    notify,
  });
  return {
    tools,
    instructions: instructionsOf(cwd, addDirs),
    notices: [...faults, ...sandboxNotes, ...own.notices, ...trustNotices(cwd, trustState)],
    close: async () => {
      await tools.close();
      await workbench.jobs.endAll();
      sandbox.close();
      await effects.close();
      await log.close();
    },
  };
}

function instructionsOf(cwd: string, addDirs: readonly string[]): string {
  return [
    `These tools work on the folder ${[cwd, ...addDirs].join(' and ')}. Paths are absolute.`,
    'Each call is judged before it runs: what changes something may be asked of a person, or refused with the reason. A result that is marked as an error says what to do next.',
  ].join(' ');
}

function first<K extends keyof SettingsLayer['settings']>(
  layers: readonly SettingsLayer[],
  key: K,
): NonNullable<SettingsLayer['settings'][K]> | null {
  for (const { settings } of layers) if (settings[key] !== undefined) return settings[key];
  return null;
}
