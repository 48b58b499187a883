import { lazyWeb } from '../app/lazy-web.ts';
import { composeRegistry, composeTools } from '../app/compose-tools.ts';
import { realFolder } from '../app/real-folder.ts';
import { DIRECT_STEPS } from '../app/direct-steps.ts';
import { allowOwnAct } from '../app/own-act.ts';
import { userFolders } from '../app/user-folders.ts';
import { ToolRunner } from '../calls/run-tools.ts';
import type { AgentEventBody } from '../core/agent-event.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { AgentError } from '../core/errors.ts';
import { textOf } from '../core/message.ts';
import type { SandboxMode } from '../core/permission.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { TodoList } from '../core/todo-list.ts';
import type { Tool } from '../core/tool.ts';
import { interruptible } from './interrupt.ts';
import { parseJsonInput } from './json-input.ts';
import { readStdin } from './read-stdin.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

const REGISTRY_CONFIG = {
  toolNames: 'PascalCase',
  bashTimeoutMs: null,
  mode: 'default',
  todos: new TodoList(),
  web: lazyWeb(),
} as const;

/** `wield tool list` */
export async function listTools({ json }: { json?: boolean }): Promise<number> {
  const tools = registryHere().list();
  const rows = tools.map(({ name, category, isReadOnly, isDestructive, description }) => ({
    name,
    category,
    isReadOnly,
    isDestructive,
    summary: description.split('\n', 1)[0],
  }));
  if (json === true) await writeOut(`${JSON.stringify(rows, null, 2)}\n`);
  else
    for (const row of rows)
      await writeOut(`${row.name.padEnd(10)} ${row.category.padEnd(7)} ${flagsOf(row).padEnd(11)} ${row.summary}\n`);
  return 0;
}

/** `wield tool show NAME` */
export async function showTool(name: string, { json }: { json?: boolean }): Promise<number> {
  const { name: own, description, inputSchema } = toolNamed(registryHere(), name);
  const text =
    json === true
      ? JSON.stringify({ name: own, description, input_schema: inputSchema }, null, 2)
      : `${own}\n\n${description}\n\nInput:\n${JSON.stringify(inputSchema, null, 2)}`;
  await writeOut(`${text}\n`);
  return 0;
}

interface RunFlags {
  readonly input?: string;
  readonly cwd?: string;
  readonly sandbox?: SandboxMode;
  readonly json?: boolean;
}

/** `wield tool run NAME`: the user's own act, so nothing is asked; deny rules and the workspace hold. */
export async function runTool(name: string, flags: RunFlags): Promise<number> {
  const input = parseJsonInput(flags.input === '-' ? await readStdin(true) : (flags.input ?? '{}'), '{"path":"/abs/file"}');
  const workbench = composeTools({
    ...REGISTRY_CONFIG,
    cwd: realFolder(flags.cwd ?? workingFolder()),
    addDirs: [],
    sandbox: flags.sandbox ?? null,
    rules: [],
    tracksSeen: false,
    seesImages: false,
    folders: userFolders(process.env),
    environment: process.env,
    sessionId: `tool-${process.pid}`,
  });
  const tool = toolNamed(workbench.registry, name);
  const journal = { started: async () => undefined, finished: async () => undefined };
  const runner = new ToolRunner({
    ...workbench.runnerOptions(journal),
    registry: workbench.registry,
    ask: allowOwnAct,
    steps: DIRECT_STEPS,
  });
  let metadata: unknown = {};
  const emit = (event: AgentEventBody): void => {
    if (event.type === 'tool_result') metadata = event.result.metadata ?? {};
  };
  let exitCode = 1;
  const { value: signalCode } = await interruptible(async (signal) => {
    const round = runner.startRound(signal, emit);
    round.add({ type: 'tool_use', id: 'run', wireId: null, name: tool.name, input }, false);
    round.commit();
    const [result] = await round.results();
    const content = textOf(result?.content ?? []);
    const isError = result?.isError ?? true;
    if (flags.json === true) await writeOut(`${displayJson({ content, isError, metadata })}\n`);
    else await writeOut(`${process.stdout.isTTY ? displayText(content) : content}\n`);
    exitCode = isError ? 1 : 0;
  });
  return signalCode ?? exitCode;
}

function registryHere(): ToolRegistry {
  return composeRegistry({ ...REGISTRY_CONFIG, cwd: workingFolder(), environment: process.env });
}

function toolNamed(registry: ToolRegistry, name: string): Tool {
  const tool = registry.get(name);
  if (tool !== null) return tool;
  const known = registry
    .list()
    .map((known) => known.name)
    .join(', ');
  throw new AgentError({ code: 'misuse', message: `There is no tool "${name}".`, remedy: `There are: ${known}.` });
}

function flagsOf({ isReadOnly, isDestructive }: { isReadOnly: boolean; isDestructive: boolean }): string {
  return isReadOnly ? 'read-only' : isDestructive ? 'destructive' : 'writes';
}
