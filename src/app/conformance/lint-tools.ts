import { type Subject, type TrialLimits, USUAL_LIMITS } from '../../conformance/bench.ts';
import { Examination, type ToolReport } from '../../conformance/examination.ts';
import { ownSamples, placed } from '../../conformance/own-samples.ts';
import { AgentError } from '../../core/errors.ts';
import type { Tool } from '../../core/tool.ts';
import { permissionRules } from '../permissions/permission-rules.ts';
import { realFolder } from '../real-folder.ts';
import { readSettings } from '../settings.ts';
import { openTrustStore, trustNotices } from '../trust-survey.ts';
import { userFolders } from '../user-folders.ts';
import { loadModuleTools } from './module-tools.ts';
import { type BenchRequest, openBench, type OpenedBench } from './open-bench.ts';
import { openServer, serversOf } from './server-bench.ts';

/** What is to be examined. With neither modules nor servers: the built-in tools, and every server of a trusted folder. */
export interface LintRequest {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly modules: readonly string[];
  readonly servers: readonly string[];
  /** Names of tools; empty is all. */
  readonly only: readonly string[];
  /** Rules that let calls of a server's tools run. */
  readonly allow: readonly string[];
  readonly limits?: Partial<TrialLimits>;
}

/** A report, and where its tool comes from; or a line for the person. */
export type LintLine =
  | { readonly type: 'report'; readonly origin: string; readonly report: ToolReport }
  | { readonly type: 'notice'; readonly text: string };

/** Examines tools one after the other, each on a bench of its own or of its server. Errors: AgentError. */
export async function* lintTools(request: LintRequest): AsyncGenerator<LintLine> {
  const { environment, modules, servers, only } = request;
  const cwd = realFolder(request.cwd);
  const folders = userFolders(environment);
  const trustState = await openTrustStore(folders).check(cwd);
  const isTrusted = trustState === 'trusted';
  const layers = await readSettings(cwd, folders, isTrusted);
  const { rules, faults } = permissionRules({ allowedTools: request.allow, disallowedTools: [] }, layers);
  for (const text of faults) yield { type: 'notice', text };
  const plan: LintPlan = { ...request, cwd, rules };
  const isAll = modules.length + servers.length === 0;
  if (servers.length > 0 && !isTrusted) throw untrusted(cwd);
  if (isAll) for (const text of trustNotices(cwd, trustState)) yield { type: 'notice', text };
  let count = 0;
  const counted = function* (line: LintLine): Generator<LintLine> {
    if (line.type === 'report') count++;
    yield line;
  };
  if (isAll) for await (const line of lintOwn(plan)) yield* counted(line);
  for (const module of modules) for await (const line of lintModule(plan, module)) yield* counted(line);
  const names = servers.length > 0 ? servers : isAll && isTrusted ? [null] : [];
  for (const name of names) for await (const line of lintServers(plan, name)) yield* counted(line);
  if (count === 0 && only.length > 0)
    throw new AgentError({
      code: 'misuse',
      message: `There is no tool ${only.join(', ')} here.`,
      remedy: 'wield tool list names the built-in ones.',
    });
}

interface LintPlan extends LintRequest, BenchRequest {}

async function* lintOwn(plan: LintPlan): AsyncGenerator<LintLine> {
  const names = await onBench(plan, async ({ registry }) => namesOf(registry.list()));
  for (const name of names.filter((known) => isChosen(plan, known)))
    yield await onBench(plan, async (bench) => {
      const tool = bench.registry.get(name);
      if (tool === null) throw new Error(`a bench without ${name}, which another had`);
      return reportOn(plan, { tool, bench, otherNames: names, ...ownSamples(name, bench.cwd) }, 'built in');
    });
}

async function* lintModule(plan: LintPlan, path: string): AsyncGenerator<LintLine> {
  const { tools, samples } = await loadModuleTools(path, plan.cwd);
  for (const tool of tools.filter(({ name }) => isChosen(plan, name)))
    yield await onBench(plan, async (bench) => {
      const given = samples.get(tool.name);
      const inputs = {
        samples: placed(given?.samples ?? [], bench.cwd) as readonly unknown[],
        slowInput: placed(given?.slow ?? null, bench.cwd),
      };
      const otherNames = namesOf([...tools, ...bench.registry.list()]);
      return reportOn(plan, { tool, bench, otherNames, ...inputs }, path);
    });
}

async function* lintServers(plan: LintPlan, only: string | null): AsyncGenerator<LintLine> {
  for (const config of await serversOf(plan.cwd, plan.environment, only)) {
    const bench = openBench(plan);
    const server = await openServer(config, bench, plan);
    try {
      for (const text of server.notices) yield { type: 'notice', text };
      const otherNames = namesOf(bench.registry.list());
      for (const tool of server.tools.filter(({ name }) => isChosen(plan, name)))
        yield await reportOn(plan, { tool, bench, otherNames, samples: [], slowInput: null }, `MCP server ${config.name}`);
    } finally {
      // Whoever stops listening leaves nothing behind either.
      await server.close();
      await bench.close();
    }
  }
}

async function onBench<T>(plan: LintPlan, work: (bench: OpenedBench) => Promise<T>): Promise<T> {
  const bench = openBench(plan);
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

/** Each is checked in a thread of its own, where a pattern cannot hold up anything. */
const FOREIGN_FUZZ_RUNS = 24;

async function reportOn(
  { limits }: LintPlan,
  subject: Omit<Subject, 'limits' | 'trustsPatterns'>,
  origin: string,
): Promise<LintLine> {
  const trustsPatterns = subject.tool.category !== 'mcp';
  const usual = trustsPatterns ? USUAL_LIMITS : { ...USUAL_LIMITS, fuzzRuns: FOREIGN_FUZZ_RUNS };
  const examination = new Examination({ ...subject, trustsPatterns, limits: { ...usual, ...limits } });
  return { type: 'report', origin, report: await examination.report() };
}

function isChosen({ only }: LintPlan, name: string): boolean {
  return only.length === 0 || only.includes(name);
}

function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}

function untrusted(cwd: string): AgentError {
  return new AgentError({
    code: 'misuse',
    message: `The MCP servers of ${cwd} are not started, because this folder is not trusted.`,
    remedy: 'Look at its .mcp.json, and trust it once: wield -p hello --trust.',
  });
}
