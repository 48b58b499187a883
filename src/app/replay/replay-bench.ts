import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AgentError } from '../../core/errors.ts';
import type { JobTable } from '../../core/ports.ts';
import type { ToolNames } from '../../core/presentation.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import { movePlaces, placesOf } from '../../core/steady-text.ts';
import { TodoList } from '../../core/todo-list.ts';
import type { WebAccess } from '../../core/web-access.ts';
import type { Sandbox } from '../../host/sandbox/sandbox.ts';
import { shownPath } from '../../host/effects/raw-path.ts';
import { writeSnapshot } from '../../host/effects/snapshot.ts';
import type { ToolRunnerOptions } from '../../calls/run-tools.ts';
import type { BothPlaces } from '../../sessions/replay-compare.ts';
import type { RunEffects } from '../../sessions/replay-effects.ts';
import type { Recording } from '../../sessions/replay-recording.ts';
import { hasRun, type RecordedPrompt, type Script } from '../../sessions/replay-script.ts';
import type { StartFacts, StartState } from '../../sessions/start-state.ts';
import { isLocaleVariable } from '../../sessions/start-state.ts';
import { UndoJournal } from '../../sessions/undo-journal.ts';
import { createTaskTool } from '../../tools/task.ts';
import { composeTools } from '../compose-tools.ts';
import { replayHook, replayPolicy } from './replay-gate.ts';
import { tempFolder } from './start-keeper.ts';
import { userFolders } from '../user-folders.ts';

export interface ReplayRequest {
  readonly environment: NodeJS.ProcessEnv;
  /** A folder of the person's to run in, a real path; null makes a copy. */
  readonly folder: string | null;
  /** Where commands cannot be confined, they run all the same. */
  readonly acceptUnsandboxed: boolean;
  readonly signal: AbortSignal;
}

/** The tool is there as it was, and reads nothing. */
const NO_WEB: WebAccess = {
  fetch: async (url) => ({ type: 'unreachable', host: new URL(url).host, detail: 'a replay does without the network' }),
};

/** Where a replay runs, and with what. */
export interface ReplayBench {
  /** A real path. */
  readonly root: string;
  readonly registry: ToolRegistry;
  readonly jobs: Pick<JobTable, 'list'>;
  readonly todos: TodoList;
  readonly tools: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;
  readonly places: BothPlaces;
  /** What calls did to files then, and what they did now. */
  readonly effectsThen: RunEffects;
  readonly effectsNow: RunEffects;
  /** What is not as it was, for a person. */
  readonly notes: readonly string[];
  moved(text: string): string;
  /** Puts the files where they were before a prompt, where that is on record. */
  startFrom(prompt: RecordedPrompt): void;
  /** Waits until what calls did is on record. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Errors: AgentError `replay_impossible` where no starting state is on record and no folder is given. */
export async function openReplayBench(recording: Recording, script: Script, request: ReplayRequest): Promise<ReplayBench> {
  const first = firstStart(recording, script, request);
  const facts = first ?? factsOf(recording, request);
  const scratch = realpathSync(mkdtempSync(join(tempFolder(), 'wield-replay-')));
  const root = request.folder ?? join(scratch, basename(facts.cwd) || 'root');
  if (request.folder === null) mkdirSync(root);
  const { home } = userFolders(request.environment);
  const places: BothPlaces = { before: placesOf(facts), now: placesOf({ cwd: root, home, temp: tempFolder() }) };
  const moved = (text: string): string => movePlaces(text, places.before.filter(isMoved), places.now);
  const folders = { home, config: join(scratch, 'config'), state: join(scratch, 'state') };
  const todos = new TodoList();
  const workbench = composeTools({
    ...facts,
    // Who wrote the session may be somebody else: what the gate of here would ask about is known only where it asks.
    mode: facts.mode === 'plan' ? 'plan' : 'default',
    cwd: root,
    addDirs: [],
    rules: [],
    sandbox: facts.sandbox === 'read-only' ? 'read-only' : 'workspace-write',
    acceptUnsandboxed: request.acceptUnsandboxed,
    tracksSeen: true,
    web: NO_WEB,
    folders,
    environment: environmentOf(request.environment, facts),
    sessionId: 'replay',
    todos,
  });
  workbench.registry.register(createTaskTool());
  const journal = new UndoJournal({
    roots: [root],
    excluded: [],
    folder: join(scratch, 'effects'),
    logPath: join(scratch, 'replay.effects'),
    pastTurns: 0,
    jobs: () => workbench.jobs.list(),
  });
  const notes = [...noteOnFolders(facts)];
  let sandbox: Sandbox | null = null;
  const gate = {
    root,
    calls: script.calls,
    mayRunCommands: async () => {
      // Also where they may run without: what can be confined is.
      sandbox = await workbench.sandbox();
      return request.acceptUnsandboxed || sandbox.kind !== 'none';
    },
    moved,
  };
  const options = workbench.runnerOptions(journal);
  return {
    root,
    registry: workbench.registry,
    jobs: workbench.jobs,
    todos,
    tools: { ...options, policy: replayPolicy(options.policy, gate), hooks: [replayHook(gate)] },
    places,
    effectsThen: { root: facts.cwd, effects: recording.effects, contentOf: recording.contentOf },
    effectsNow: {
      root,
      get effects() {
        return journal.log.records().flatMap((record) => (record.type === 'effect' ? [record] : []));
      },
      contentOf: (hash) => journal.contents.read(hash),
    },
    notes,
    moved,
    startFrom: (prompt) => {
      if (request.folder !== null) return;
      const start = startOfPrompt(recording.starts, prompt);
      if (start?.entries == null) return;
      clear(root);
      notes.push(...noteOnMissing(writeSnapshot(root, start.entries, recording.contentOf), start));
    },
    settle: () => journal.aside(async () => undefined),
    close: async () => {
      await workbench.jobs.endAll();
      sandbox?.close();
      await journal.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The temporary folder stays a name of the machine: commands that say /tmp mean it. */
function isMoved({ name }: { readonly name: string }): boolean {
  return name !== 'temp';
}

function firstStart({ starts, id }: Recording, { prompts, calls }: Script, { folder }: ReplayRequest): StartState | null {
  const first = starts[0] ?? null;
  if (folder !== null || !hasRun({ calls })) return first;
  if (first === null)
    throw impossible(
      `No starting state of the session ${id} is on record: it is older than they are, or your settings say "undo": false.`,
    );
  if (first.entries === null)
    throw impossible(`The files that the session ${id} started from were not kept: ${first.missing ?? 'nobody knows why'}.`);
  const firstPrompt = prompts.find(({ replies }) => replies.length > 0);
  if (
    firstPrompt !== undefined &&
    first.messages > 0 &&
    startOfPrompt(starts, firstPrompt) === null &&
    hasCallsBefore(first, prompts, calls)
  )
    throw impossible(`The session ${id} ran calls before its first starting state was kept.`);
  return first;
}

function hasCallsBefore({ messages }: StartState, prompts: Script['prompts'], calls: Script['calls']): boolean {
  return [...calls.values()].some(
    ({ prompt, decision }) => decision?.decision === 'allow' && (prompts[prompt - 1]?.endMessage ?? 0) < messages,
  );
}

/** The files as they were when the first call of a prompt came. */
function startOfPrompt(starts: readonly StartState[], { firstMessage, endMessage }: RecordedPrompt): StartState | null {
  return starts.findLast(({ messages }) => messages > firstMessage && messages <= endMessage) ?? null;
}

/** What an older session says of itself. */
function factsOf({ records }: Recording, { environment }: ReplayRequest): StartFacts & { readonly cwd: string } {
  const header = records.find((record) => record?.['type'] === 'session');
  const cwd = typeof header?.['cwd'] === 'string' ? header['cwd'] : '/';
  const isSnakeCase = records.some((record) => JSON.stringify(record?.['tools'] ?? '').includes('"read_file"'));
  const toolNames: ToolNames = isSnakeCase ? 'snake_case' : 'PascalCase';
  const { home } = userFolders(environment);
  const plain = { addDirs: [], sandbox: null, bashTimeoutMs: null, seesImages: true, environment: {} };
  return { cwd, home, temp: tempFolder(), mode: 'default', toolNames, ...plain };
}

/** The language and the zone of then, the rest of now. */
function environmentOf(environment: NodeJS.ProcessEnv, facts: StartFacts): NodeJS.ProcessEnv {
  const rest = Object.entries(environment).filter(([name]) => !isLocaleVariable(name));
  return { ...Object.fromEntries(rest), ...facts.environment };
}

function clear(root: string): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
}

const SHOWN_PATHS = 5;

function noteOnMissing(missing: readonly string[], { entries }: StartState): readonly string[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, SHOWN_PATHS).map(shownPath).join(', ');
  const more = missing.length > SHOWN_PATHS ? ` and ${missing.length - SHOWN_PATHS} more` : '';
  return [
    `Not in the copy, since they were not kept (dependencies, large or special files): ${shown}${more}, of ${entries?.length ?? 0}.`,
  ];
}

function noteOnFolders({ addDirs }: StartFacts): readonly string[] {
  return addDirs.length === 0 ? [] : [`Further folders of the session are not part of a replay: ${addDirs.join(', ')}.`];
}

function impossible(message: string): AgentError {
  const remedy = 'Give a folder with the files as they were then, with --in FOLDER; the tools run in it.';
  return new AgentError({ code: 'replay_impossible', message, remedy });
}
