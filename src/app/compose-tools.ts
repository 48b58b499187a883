import { join } from 'node:path';
import type { PermissionMode, PermissionRule, SandboxMode } from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { ConfinedJobs, EffectJournal } from '../core/ports.ts';
import type { ToolNames } from '../core/presentation.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { PastJob, SessionNote } from '../core/session.ts';
import type { TodoList } from '../core/todo-list.ts';
import type { WebAccess } from '../core/web-access.ts';
import { createLocalGit, findGit } from '../host/git/git.ts';
import { createJobTable, type JobHistory } from '../host/process/job-table.ts';
import { createLocalFiles, type LocalFilesOptions } from '../host/files/local-files.ts';
import { createLocalSearch } from '../host/search/local-search.ts';
import { createLocalShell, type LocalShellOptions } from '../host/process/local-shell.ts';
import { SpillStore } from '../host/files/spill.ts';
import type { Sandbox } from '../host/sandbox/sandbox.ts';
import { grantedFiles, grantedGit, grantedJobs, grantedSearch, grantedShell } from '../permissions/grants.ts';
import { createPolicy } from '../permissions/policy.ts';
import { setupTools } from '../tools/builtin.ts';
import type { ToolRunnerOptions } from '../calls/run-tools.ts';
import { createRegistry } from './create-registry.ts';
import { lazySandbox } from './lazy-sandbox.ts';
import { realPlaceOf } from './real-place.ts';
import type { UserFolders } from './user-folders.ts';

export interface ToolsConfig {
  /** A real path. */
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
  readonly toolNames: ToolNames;
  readonly bashTimeoutMs: number | null;
  /** What commands may write. Null or not said is `workspace-write`. */
  readonly sandbox?: SandboxMode | null;
  /** The sandbox itself, where a session has begun to look for it. */
  readonly openedSandbox?: () => Promise<Sandbox>;
  /** Without a sandbox, rules may allow what runs project code. Not said is no. */
  readonly acceptUnsandboxed?: boolean;
  /** Keeps a rule that is to hold longer than the session. */
  readonly storeRule?: (rule: PermissionRule) => Promise<string | null>;
  /** How WebFetch reads the web. Null or not said: it is not offered. */
  readonly web?: WebAccess | null;
  readonly tracksSeen: boolean;
  /** Folders outside the workspace whose files may be read unasked. */
  readonly readable?: readonly string[];
  readonly folders: UserFolders;
  readonly environment: NodeJS.ProcessEnv;
  readonly sessionId: string;
  readonly todos: TodoList;
  /** True where the model takes images. */
  readonly seesImages: boolean;
  /** What a session over several processes knows; without one nothing is kept. */
  readonly memory?: SessionMemory;
}

/** What the tools of a session know from before, and where they note what it is to know later. */
export interface SessionMemory {
  /** Versions of files that the model has seen, by real path. */
  readonly seen: Map<string, string>;
  readonly jobs: readonly PastJob[];
  note(note: SessionNote): void;
}

/** The tools of a session, on this machine, behind the gate. */
export interface Workbench {
  readonly registry: ToolRegistry;
  readonly policy: PermissionPolicy;
  /** Whoever opens a workbench ends its jobs. */
  readonly jobs: ConfinedJobs;
  /** What confines commands here; to ask starts the search for it, which takes a moment the first time. */
  readonly sandbox: () => Promise<Sandbox>;
  readonly runnerOptions: (journal: EffectJournal) => Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;
}

/** A registry with the built-in tools; plan mode offers only what reads. */
export function composeRegistry({
  toolNames,
  bashTimeoutMs,
  mode,
  todos,
  cwd,
  environment,
  web = null,
}: Pick<ToolsConfig, 'toolNames' | 'bashTimeoutMs' | 'mode' | 'todos' | 'cwd' | 'environment' | 'web'>): ToolRegistry {
  const registry = createRegistry({ toolNames });
  const hasGit = findGit({ environment, workspace: cwd }) !== null;
  setupTools(registry, {
    allowWrite: true,
    allowBash: true,
    allowWeb: web !== null,
    hasGit,
    todos,
    ...(bashTimeoutMs === null ? {} : { bashTimeoutMs }),
  });
  if (mode === 'plan')
    // Bash stays: of commands, the gate lets those run that only read.
    for (const tool of registry.list())
      if (!tool.isReadOnly && tool.category !== 'plan' && tool.name !== 'Bash') registry.disable(tool.name, 'plan mode');
  return registry;
}

/** Puts the tools, the machine and the gate together. */
export function composeTools(config: ToolsConfig): Workbench {
  const { cwd, folders } = config;
  const spills = new SpillStore(join(folders.state, 'output', config.sessionId));
  const registry = composeRegistry(config);
  // Calls are judged by real paths, and a home or a state folder may stand behind a link.
  const home = realPlaceOf(folders.home);
  const sandbox = config.openedSandbox ?? lazySandbox(config);
  const policy = createPolicy({
    mode: config.mode,
    cwd,
    home,
    roots: [cwd, ...config.addDirs],
    readableRoots: [spills.folder, ...(config.readable ?? [])].map(realPlaceOf),
    rules: config.rules,
    ownFolders: [realPlaceOf(folders.config), realPlaceOf(folders.state)],
    environment: config.environment,
    sandbox: {
      get isAvailable() {
        return sandbox().then(({ kind }) => kind !== 'none');
      },
    },
    acceptUnsandboxed: config.acceptUnsandboxed ?? false,
    ...(config.storeRule === undefined ? {} : { store: config.storeRule }),
  });
  const { memory } = config;
  const files = createLocalFiles({
    tracksSeen: config.tracksSeen,
    journalFolder: join(folders.state, 'writes'),
    ...(memory === undefined ? {} : seenIn(memory)),
  });
  const commands: LocalShellOptions = {
    spills,
    environment: config.environment,
    sandbox,
    onDenied: (command, { network, writes }) =>
      policy.noteDenied?.(command, { ...(network ? { network } : {}), writable: writes }),
  };
  const shell = createLocalShell(commands);
  const jobs = createJobTable(commands, memory === undefined ? null : jobsIn(memory));
  const search = createLocalSearch(null, [cwd, ...config.addDirs]);
  const git = createLocalGit({ environment: config.environment, workspace: cwd, addDirs: config.addDirs });
  const builtin = new Set(registry.list());
  return {
    registry,
    policy,
    jobs,
    sandbox,
    runnerOptions: (journal) => ({
      policy: memory === undefined ? policy : notingRules(policy, memory),
      cwd,
      hooks: [],
      journal,
      trustsFootprint: (tool) => builtin.has(tool),
      contextFor: (call, { footprint, confinement }, signal, emit) => ({
        cwd,
        signal,
        toolUseId: call.id,
        seesImages: config.seesImages,
        files: grantedFiles(files, footprint),
        shell: grantedShell(shell, confinement),
        jobs: grantedJobs(jobs, confinement),
        search: grantedSearch(search, footprint, { files, home }),
        git: grantedGit(git, footprint, { files, home }),
        ...(config.web == null ? {} : { web: config.web }),
        spill: (full) => spills.keep(full),
        progress: (text) => emit({ type: 'tool_progress', toolUseId: call.id, text }),
      }),
    }),
  };
}

function seenIn({ seen, note }: SessionMemory): Pick<LocalFilesOptions, 'seen' | 'onSeen'> {
  return { seen, onSeen: (path, version) => note({ type: 'file_seen', path, version }) };
}

function jobsIn({ jobs, note }: SessionMemory): JobHistory {
  return {
    past: jobs,
    started: ({ id, command }) => note({ type: 'job_started', id, command }),
    ended: ({ id }) => note({ type: 'job_ended', id }),
  };
}

/** What a person allows for the session holds when it is gone on with. */
function notingRules(policy: PermissionPolicy, { note }: SessionMemory): PermissionPolicy {
  return {
    ...policy,
    remember: (rule) => {
      const { behavior, tool, specifier, scope, origin } = rule;
      if (scope === 'session') note({ type: 'rule_added', rule: { behavior, tool, specifier, scope, origin } });
      return policy.remember(rule);
    },
  };
}
