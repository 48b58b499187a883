import { dirname } from 'node:path';
import { type AgentOptions, createAgent } from '../agent/create-agent.ts';
import { renderSystemPrompt } from '../agent/system-prompt.ts';
import type { Agent } from '../core/agent.ts';
import type { PermissionMode, SandboxMode } from '../core/permission.ts';
import type { ToolNames } from '../core/presentation.ts';
import type { SessionTurn } from '../core/session.ts';
import { TodoList } from '../core/todo-list.ts';
import type { Sandbox } from '../host/sandbox/sandbox.ts';
import { assertSessionWritable } from '../sessions/session-log.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import { composeTools } from './compose-tools.ts';
import { DIRECT_STEPS } from './direct-steps.ts';
import { setupHooks } from './hooks-setup.ts';
import { readInstructions } from './instructions.ts';
import { lazySandbox } from './lazy-sandbox.ts';
import { lazyWeb } from './lazy-web.ts';
import { setupMcpServers } from './mcp/mcp-servers.ts';
import type { TapeRequest } from './replay/model-tape.ts';
import { createTaskTool } from '../tools/task.ts';
import { ownProviders } from './own-providers.ts';
import { readOwnPrompts } from './own-prompts.ts';
import { openPast } from './open-past.ts';
import { tellingEndedJobs } from './past-jobs.ts';
import { pastSession } from './past-session.ts';
import { type PersonCommand, personCommand } from './person-command.ts';
import { createRuleStore } from './permissions/permission-store.ts';
import { permissionRules } from './permissions/permission-rules.ts';
import { sandboxNotices } from './sandbox-notices.ts';
import { realFolder } from './real-folder.ts';
import type { OwnPrompt } from './prompt-file.ts';
import type { RewindChoice } from './undo/rewind.ts';
import { preferencesOf, readSettings, type SettingsLayer } from './settings.ts';
import { realPlaceOf } from './real-place.ts';
import { createStartKeeper, languageOf, tempFolder } from './replay/start-keeper.ts';
import { createTourWorkspace, TOUR_RULE } from './tour.ts';
import { openTrustStore, trustNotices } from './trust-survey.ts';
import type { UndoChoice } from './undo/undo-session.ts';
import { setupUndo } from './undo/undo-setup.ts';
import { effectsFolder, type UserFolders, userFolders } from './user-folders.ts';

/** What a door was asked to do. Null is not said. */
export interface ComposeRequest {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly model: string | null;
  readonly permissionMode: PermissionMode | null;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly addDirs: readonly string[];
  readonly maxTurns: number | null;
  readonly appendSystemPrompt: string | null;
  readonly trust: boolean;
  readonly continueLast: boolean;
  /** An id or a name. */
  readonly resumeId: string | null;
  /** The id of a new session. */
  readonly sessionId: string | null;
  /** Leaves the session that is gone on with as it is, and goes on in a new one. */
  readonly forkSession: boolean;
  /** What commands may change, where they can be confined. */
  readonly sandbox: SandboxMode | null;
  readonly requireSandbox: boolean;
  /** Without a sandbox, rules may allow what runs project code. */
  readonly acceptUnsandboxed: boolean;
  readonly canAsk: boolean;
  /** Cassettes to write the model's answers to, or to take them from. */
  readonly tape?: TapeRequest;
  /** Null in a chat, where it comes later. */
  readonly firstPrompt: string | null;
}

/** A session that is ready to run. */
export interface Session {
  readonly agent: Agent;
  readonly model: ChosenModel;
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** What confines commands. */
  readonly sandbox: Sandbox['kind'];
  readonly toolNames: readonly string[];
  /** How the person wants their terminal. */
  readonly preferences: ReturnType<typeof preferencesOf>;
  /** Commands and skills of the person and the project. */
  readonly prompts: readonly OwnPrompt[];
  /** What the servers of `.mcp.json` are at, a line each; null where there are none. */
  readonly serverLines: (() => Promise<readonly string[]>) | null;
  /** What a person should know before the first prompt, a line each. */
  readonly notices: readonly string[];
  /** Undoes what the last turn did to files, or takes that back; gives lines for the person. */
  undo(verb: 'undo' | 'redo'): Promise<readonly string[]>;
  /** The turns to which it can be rewound, in order. */
  turns(): Promise<readonly SessionTurn[]>;
  /** Between runs: takes conversation, files, or both back to where a turn had ended; gives lines for the person. */
  rewind(choice: RewindChoice): Promise<readonly string[]>;
  /** What was changed and holds, as a unified diff; null where nothing was. */
  diff(choice: UndoChoice): Promise<string | null>;
  /** A command that the person typed. */
  readonly runCommand: PersonCommand;
  close(): Promise<void>;
}

/** From settings, environment and request to a session. Errors: AgentError. */
export async function compose(request: ComposeRequest): Promise<Session> {
  const folders = userFolders(request.environment);
  const workspace = realFolder(request.cwd);
  const trust = openTrustStore(folders);
  // Who says so means it as it is now: what is wrong with it is told, and not left out.
  if (request.trust) await trust.trust(workspace);
  const trustState = request.trust ? 'trusted' : await trust.check(workspace);
  const layers = await readSettings(workspace, folders, trustState === 'trusted');
  const model = await modelFor(request, layers);
  // The tour works on a copy of its own; nothing else of the session knows of it.
  const isTour = request.firstPrompt !== null && model.wantsTour(request.firstPrompt);
  const cwd = isTour ? createTourWorkspace() : workspace;
  const addDirs = request.addDirs.map(realFolder);
  const sandboxMode = request.sandbox ?? first(layers, 'sandbox');
  const openedSandbox = lazySandbox({ cwd, addDirs, folders, environment: request.environment, sandbox: sandboxMode });
  // Begun here, so that trying it goes on beside all that follows. It never throws.
  void openedSandbox();
  const taped = await tapedProvider(request, model, { cwd, folders, layers });
  const [instructions, ownPrompts, past] = await Promise.all([
    readInstructions(cwd, folders, trustState !== 'unknown' || isTour),
    readOwnPrompts(cwd, folders, trustState === 'trusted' && !isTour),
    pastSession(request, folders, cwd),
  ]);
  // Told before the first request: an answer that is not kept cannot be gone on with.
  await assertSessionWritable(past.path);
  const { rules, faults } = permissionRules(request, layers);
  const mode = request.permissionMode ?? first(layers, 'permissionMode') ?? 'default';
  const toolNames: ToolNames = first(layers, 'toolNames') ?? 'PascalCase';
  const todos = new TodoList(past.todos);
  const { log: sessionLog, begin, close: closeLog } = openPast(past, { cwd, model: model.model });
  const seen = new Map(past.seen);
  const workbench = composeTools({
    cwd,
    addDirs,
    mode,
    rules: [...rules, ...past.rules, ...(isTour ? [TOUR_RULE] : [])],
    toolNames,
    bashTimeoutMs: first(layers, 'bashTimeoutMs'),
    web: lazyWeb(),
    tracksSeen: true,
    readable: ownPrompts.skills.map(({ path }) => dirname(path)),
    folders,
    environment: request.environment,
    sessionId: past.id,
    todos,
    seesImages: model.provider.seesImages,
    openedSandbox,
    // Who turns the sandbox off has accepted what follows.
    acceptUnsandboxed: request.acceptUnsandboxed || sandboxMode === 'danger-full-access',
    storeRule: createRuleStore({ cwd, folders, trust }),
    memory: { seen, jobs: past.jobs, note: sessionLog.note },
  });
  workbench.registry.register(createTaskTool());
  const [sandbox, servers, own] = await Promise.all([
    openedSandbox(),
    setupMcpServers({
      cwd,
      folders,
      environment: request.environment,
      isTrusted: trustState === 'trusted' && !isTour,
      isPlanning: mode === 'plan',
      registry: workbench.registry,
    }),
    setupHooks({
      layers,
      cwd,
      mode,
      session: past,
      folders,
      environment: request.environment,
      aliasOf: (name) => workbench.registry.get(name)?.aliases?.snakeCase ?? null,
    }),
  ]);
  const sandboxNotes = sandboxNotices(sandbox, request.requireSandbox);
  // Nothing refuses the session any more.
  const history = await begin();
  const effects = setupUndo({
    isOn: first(layers, 'undo') ?? true,
    cwd,
    addDirs,
    folders,
    session: past,
    log: sessionLog,
    jobs: workbench.jobs,
  });
  const starts = createStartKeeper({
    isOn: first(layers, 'undo') ?? true,
    facts: {
      cwd,
      home: folders.home,
      temp: tempFolder(),
      mode,
      toolNames,
      addDirs,
      sandbox: sandboxMode,
      bashTimeoutMs: first(layers, 'bashTimeoutMs'),
      seesImages: model.provider.seesImages,
      environment: languageOf(request.environment),
    },
    sessionPath: past.path,
    pastMessages: past.messages.length,
    pastPrompts: past.turnCount,
    folder: effectsFolder(folders, cwd),
    excluded: [realPlaceOf(folders.state), realPlaceOf(folders.config)],
  });
  const toolRuns = { ...workbench.runnerOptions(starts.journalOf(effects.journal)), hooks: own.hooks };
  const maxTurns = request.maxTurns ?? first(layers, 'maxTurns');
  const agent = createAgent({
    ...taped,
    model: model.model,
    facts: model.facts,
    system: renderSystemPrompt({
      cwd,
      platform: process.platform,
      date: new Date().toISOString().slice(0, 10),
      toolNames,
      instructions: instructions.files,
      skills: ownPrompts.skills,
      appended: request.appendSystemPrompt,
    }),
    registry: workbench.registry,
    log: starts.logOf(effects.log),
    history,
    compaction: past.compaction,
    pastCallIds: past.callIds,
    ...(maxTurns === null ? {} : { maxTurns }),
    steps: DIRECT_STEPS,
    todos,
    jobs: workbench.jobs,
    canAsk: request.canAsk,
    beforeRun: servers.beforeRun,
    ...(own.lifecycle === null ? {} : { lifecycle: own.lifecycle }),
    tools: toolRuns,
  });
  const rewinding = async () =>
    (await import('./undo/rewind-setup.ts')).setupRewind({
      path: past.path,
      cwd,
      log: sessionLog,
      agent: starts.agentOf(agent),
      seen,
      filesTo: effects.filesTo,
    });
  return {
    agent: tellingEndedJobs(effects.agentOf(agent), past.jobs, sessionLog.note),
    model,
    cwd,
    mode,
    sandbox: sandbox.kind,
    toolNames: workbench.registry.specs().map((spec) => spec.name),
    preferences: preferencesOf(layers),
    prompts: ownPrompts.prompts,
    serverLines: servers.lines,
    notices: [
      ...past.notices,
      ...faults,
      ...modeNotices(mode),
      ...sandboxNotes,
      ...(isTour
        ? [`The tour works on a scratch copy: ${cwd}`, "Rule for this session: Bash(node --test), the sample's own tests"]
        : []),
      ...own.notices,
      ...servers.notices,
      ...instructions.unusable,
      ...ownPrompts.unusable,
      ...instructions.untrusted.map((path) => `Not loaded, because this folder is not trusted: ${path} (--trust loads it)`),
      ...trustNotices(workspace, trustState),
    ],
    undo: async (verb) => {
      const lines = await effects.command(verb);
      starts.renew();
      return lines;
    },
    turns: async () => (await rewinding()).turns(),
    rewind: async (choice) => {
      const lines = await (await rewinding()).rewind(choice);
      starts.renew();
      return lines;
    },
    diff: effects.diff,
    runCommand: personCommand(workbench.registry, toolRuns),
    close: async () => {
      await Promise.all([workbench.jobs.endAll(), servers.close()]);
      sandbox.close();
      await starts.close();
      await effects.close();
      await closeLog();
      // Last of all: nobody waits for it any more.
      const keepDays = first(layers, 'keepSessionsDays');
      if (keepDays !== null) await (await import('./session-shelf.ts')).pruneUnnamed({ cwd, folders }, keepDays);
    },
  };
}

/** Errors: AgentError, of choosing or of a cassette. */
async function modelFor({ tape, model, environment }: ComposeRequest, layers: readonly SettingsLayer[]): Promise<ChosenModel> {
  if (tape === undefined || tape.replay === null) return chooseModel(model ?? first(layers, 'model'), environment, layers);
  return (await import('./replay/model-tape.ts')).modelOfCassette(tape.replay);
}

/** The model's provider, behind the cassettes that were asked for. */
async function tapedProvider(
  { tape, environment }: ComposeRequest,
  model: ChosenModel,
  { cwd, folders, layers }: { cwd: string; folders: UserFolders; layers: readonly SettingsLayer[] },
): Promise<Pick<AgentOptions, 'provider' | 'patience'>> {
  if (tape === undefined) return { provider: model.provider };
  const { openTape } = await import('./replay/model-tape.ts');
  return openTape(tape, model, { cwd, folders, environment, own: ownProviders(layers) });
}

function first<K extends keyof SettingsLayer['settings']>(
  layers: readonly SettingsLayer[],
  key: K,
): NonNullable<SettingsLayer['settings'][K]> | null {
  for (const { settings } of layers) if (settings[key] !== undefined) return settings[key];
  return null;
}

function modeNotices(mode: PermissionMode): string[] {
  if (mode === 'bypassPermissions') return ['Permissions are bypassed: commands and edits run without being asked.'];
  return mode === 'plan' ? ['Plan mode: nothing is changed.'] : [];
}
