import { resolve } from 'node:path';
import { renderSystemPrompt } from '../../agent/system-prompt.ts';
import { costOf } from '../../core/accounting.ts';
import { AgentError, recordOfProviderError } from '../../core/errors.ts';
import type { ToolNames } from '../../core/presentation.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import { TodoList } from '../../core/todo-list.ts';
import { estimateTokens } from '../../core/token-estimate.ts';
import type { Tool } from '../../core/tool.ts';
import { seededRandom } from '../../evaluation/random.ts';
import { comparisonOf, type EvaluationReport, scoreWording } from '../../evaluation/report.ts';
import { runTasks, type Wording } from '../../evaluation/run-tasks.ts';
import { createTaskTool } from '../../tools/task.ts';
import { chooseTasks } from '../../evaluation/choose-tasks.ts';
import type { EvaluationTask } from '../../evaluation/task.ts';
import { reworded, type WordingFile } from '../../evaluation/wording.ts';
import { type ChosenModel, chooseModel } from '../choose-model.ts';
import { composeRegistry } from '../compose-tools.ts';
import { loadModuleTools } from '../conformance/module-tools.ts';
import { createRegistry } from '../create-registry.ts';
import { lazyWeb } from '../lazy-web.ts';
import { realFolder } from '../real-folder.ts';
import { readSettings } from '../settings.ts';
import { openTrustStore } from '../trust-survey.ts';
import { userFolders } from '../user-folders.ts';
import { readTasks, readWording, shippedTasks } from './evaluation-files.ts';

/** What is to be measured. */
export interface EvaluationRequest {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly model: string | null;
  /** Files with tasks, besides those that ship unless `ownTasksOnly`. */
  readonly taskFiles: readonly string[];
  readonly ownTasksOnly: boolean;
  /** Modules whose tools are offered too. */
  readonly modules: readonly string[];
  /** One wording to compare with the present one, or two to compare with each other. */
  readonly wordingFiles: readonly string[];
  /** Tools whose tasks are asked, and languages; empty is all. */
  readonly only: readonly string[];
  readonly languages: readonly string[];
  /** Tasks at most; null is all. */
  readonly limit: number | null;
  readonly rounds: number;
  readonly parallel: number;
  readonly seed: number;
}

/** An evaluation that is ready to begin. */
export interface Evaluation {
  readonly model: string;
  readonly tasks: readonly EvaluationTask[];
  /** Requests, and about how many input tokens they take together. */
  readonly requests: number;
  readonly estimatedTokens: number;
  /** What those tokens cost by the list price, where that is known; what the model writes comes on top. */
  readonly estimatedCost: number | null;
  readonly notices: readonly string[];
  /** Errors: AgentError where the model answers nothing at all. */
  run(signal: AbortSignal, onRun: (done: number, all: number) => void): Promise<EvaluationReport>;
}

/** A project that is nowhere: no task is carried out. */
const TASK_CWD = '/home/ada/shop';
const MAX_OUTPUT_TOKENS = 8000;
const RETRY_DELAY_MS = 1000;
const PRESENT = 'present';

/** From a request to an evaluation; nothing has been asked yet. Errors: AgentError. */
export async function prepareEvaluation(request: EvaluationRequest): Promise<Evaluation> {
  const { environment, rounds, seed } = request;
  const cwd = realFolder(request.cwd);
  const folders = userFolders(environment);
  const isTrusted = (await openTrustStore(folders).check(cwd)) === 'trusted';
  const layers = await readSettings(cwd, folders, isTrusted);
  const model = await chooseModel(
    request.model ?? layers.find(({ settings }) => settings.model)?.settings.model ?? null,
    environment,
    layers,
  );
  const toolNames = layers.find(({ settings }) => settings.toolNames)?.settings.toolNames ?? 'PascalCase';
  const tools = await offeredTools(request, cwd);
  const wordings = await wordingsOf(request, cwd, { tools, toolNames });
  const { tasks, left } = chooseTasks(await allTasks(request, cwd), request, tools);
  if (tasks.length === 0) throw misuse('No task is left to ask.', 'See what --tool, --language and --limit leave.');
  const system = systemPrompt(toolNames);
  const estimatedTokens = rounds * wordings.reduce((sum, { registry }) => sum + tokensOf(system, registry, tasks), 0);
  const notices = [
    ...left,
    ...(model.isDemo ? ['The demo model follows rules and is not an AI: this measures the rules. Choose one with --model.'] : []),
  ];
  return {
    model: model.model,
    tasks,
    requests: tasks.length * rounds * wordings.length,
    estimatedTokens,
    estimatedCost: costOf(
      { inputTokens: estimatedTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: null },
      model.facts.price,
    ),
    notices,
    run: async (signal, onRun) => {
      const random = seededRandom(seed);
      const { provider } = model;
      const outcome = await runTasks({
        tasks,
        wordings,
        rounds,
        parallel: request.parallel,
        setup: { provider, model: model.model, system, maxOutputTokens: MAX_OUTPUT_TOKENS, retryDelayMs: RETRY_DELAY_MS },
        cwd: TASK_CWD,
        random,
        signal,
        onRun,
      });
      if (outcome.givenUp !== null) throw new AgentError(recordOfProviderError(outcome.givenUp));
      return reportOf(outcome, { request, model, toolNames, wordings, tasks, notices, random });
    },
  };
}

interface Surroundings {
  readonly request: EvaluationRequest;
  readonly model: ChosenModel;
  readonly toolNames: ToolNames;
  readonly wordings: readonly Wording[];
  readonly tasks: readonly EvaluationTask[];
  readonly notices: readonly string[];
  readonly random: () => number;
}

function reportOf({ runs, usage }: Awaited<ReturnType<typeof runTasks>>, surroundings: Surroundings): EvaluationReport {
  const { request, model, toolNames, wordings, tasks, notices, random } = surroundings;
  const planned = tasks.length * request.rounds * wordings.length;
  const order = wordings[0]?.registry.list().map(({ name }) => name) ?? [];
  const failures = [...new Set(runs.flatMap(({ error }) => (error === null ? [] : [error.message])))];
  return {
    model: model.model,
    toolNames,
    seed: request.seed,
    tasks: tasks.length,
    rounds: request.rounds,
    usage,
    cost: costOf(usage, model.facts.price),
    wordings: wordings.map(({ name }) => scoreWording(name, runs, order)),
    comparison: comparisonOf(
      runs,
      wordings.map(({ name }) => name),
      random,
    ),
    notices: [
      ...notices,
      ...(runs.length < planned ? [`Stopped after ${runs.length} of ${planned} requests; what follows is of these.`] : []),
      ...failures.map((message) => `Some requests got no answer and count neither as right nor as wrong: ${message}`),
    ],
  };
}

async function offeredTools({ modules, environment }: EvaluationRequest, cwd: string): Promise<readonly Tool[]> {
  const config = {
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    mode: 'default',
    todos: new TodoList(),
    web: lazyWeb(),
    cwd,
    environment,
  } as const;
  const loaded = await Promise.all(modules.map((path) => loadModuleTools(path, cwd)));
  return [...composeRegistry(config).list(), createTaskTool(), ...loaded.flatMap(({ tools }) => tools)];
}

async function wordingsOf(
  { wordingFiles }: EvaluationRequest,
  cwd: string,
  { tools, toolNames }: { readonly tools: readonly Tool[]; readonly toolNames: ToolNames },
): Promise<readonly Wording[]> {
  const files = await Promise.all(
    wordingFiles.map(async (file) => ({ file, wording: await readWording(resolve(cwd, file), file) })),
  );
  const named = files.map(({ file, wording }) => ({ name: nameOf(wording, file), tools: reworded(tools, wording, file) }));
  const all = named.length === 2 ? named : [{ name: PRESENT, tools }, ...named];
  if (new Set(all.map(({ name }) => name)).size < all.length)
    throw misuse('Two wordings have the same name.', 'Give each a "name" of its own.');
  return all.map((one) => ({ name: one.name, registry: registryOf(one.tools, toolNames) }));
}

function nameOf({ name }: WordingFile, file: string): string {
  return name ?? file;
}

function registryOf(tools: readonly Tool[], toolNames: ToolNames): ToolRegistry {
  const registry = createRegistry({ toolNames });
  for (const tool of tools) {
    if (registry.lookup(tool.name) !== null)
      throw misuse(`There are two tools called ${tool.name}.`, 'Give the one in your module another name.');
    registry.register(tool);
  }
  return registry;
}

async function allTasks({ taskFiles, ownTasksOnly }: EvaluationRequest, cwd: string): Promise<readonly EvaluationTask[]> {
  const shipped = ownTasksOnly ? [] : await shippedTasks();
  const own = await Promise.all(taskFiles.map((file) => readTasks(resolve(cwd, file), file)));
  const tasks = [...shipped, ...own.flat()];
  const twice = tasks.map(({ id }) => id).find((id, i, ids) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw misuse(`Two tasks are called ${twice}.`, 'Give each an id of its own.');
  return tasks;
}

function systemPrompt(toolNames: ToolNames): string {
  return renderSystemPrompt({
    cwd: TASK_CWD,
    platform: 'linux',
    date: '2026-11-30',
    toolNames,
    instructions: [],
    appended: null,
  });
}

function tokensOf(system: string, registry: ToolRegistry, tasks: readonly EvaluationTask[]): number {
  const same = estimateTokens(system) + estimateTokens(JSON.stringify(registry.toAPIFormat()));
  return tasks.reduce((sum, { prompt }) => sum + same + estimateTokens(prompt), 0);
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
