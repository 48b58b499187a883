import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAgent } from '../src/agent/create-agent.ts';
import type { SubAgentLimits } from '../src/agent/sub-agents/limits.ts';
import { composeTools } from '../src/app/compose-tools.ts';
import type { Agent } from '../src/core/agent.ts';
import type { AgentEvent } from '../src/core/agent-event.ts';
import type { Message } from '../src/core/message.ts';
import type { Provider } from '../src/core/model.ts';
import type { PermissionMode, PermissionRule } from '../src/core/permission.ts';
import type { Hook, Lifecycle } from '../src/core/ports.ts';
import type { SessionLog } from '../src/core/session.ts';
import { TodoList } from '../src/core/todo-list.ts';
import type { WebAccess } from '../src/core/web-access.ts';
import type { Tool } from '../src/core/tool.ts';

/** A temporary project with an agent in it: real files, real processes, a scripted model. */
export interface TestProject {
  readonly root: string;
  path(name: string): string;
  remove(): void;
}

export function createProject(files: Readonly<Record<string, string>> = {}): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-test-')));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return { root, path: (name) => join(root, name), remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface TestAgentOptions {
  readonly mode?: PermissionMode;
  readonly rules?: readonly PermissionRule[];
  readonly canAsk?: boolean;
  readonly maxTurns?: number;
  readonly extraTools?: readonly Tool[];
  readonly hooks?: readonly Hook[];
  readonly lifecycle?: Lifecycle;
  readonly history?: readonly Message[];
  readonly log?: SessionLog;
  readonly model?: string;
  readonly web?: WebAccess;
  /** Of sub-agents. */
  readonly limits?: Partial<SubAgentLimits>;
}

const NO_LOG: SessionLog = { id: 'test', append: () => undefined, flush: async () => undefined, close: async () => undefined };

/** An agent on the real tools of this machine. */
export function createTestAgent(project: TestProject, provider: Provider, options: TestAgentOptions = {}): Agent {
  const workbench = composeTools({
    cwd: project.root,
    addDirs: [],
    mode: options.mode ?? 'bypassPermissions',
    rules: options.rules ?? [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: true,
    folders: { home: '/nowhere', config: project.path('.state'), state: project.path('.state') },
    environment: process.env,
    sessionId: 'test',
    todos: new TodoList(),
    web: options.web ?? null,
    seesImages: provider.seesImages,
  });
  for (const tool of options.extraTools ?? []) workbench.registry.register(tool);
  return createAgent({
    provider,
    model: options.model ?? 'scripted',
    system: 'You are a test.',
    registry: workbench.registry,
    log: options.log ?? NO_LOG,
    history: options.history ?? [],
    maxTurns: options.maxTurns ?? 20,
    patience: { tries: 3, baseDelayMs: 1 },
    steps: { runStep: (_step, run) => run() },
    canAsk: options.canAsk ?? false,
    ...(options.limits === undefined ? {} : { subAgents: { limits: options.limits } }),
    ...(options.lifecycle === undefined ? {} : { lifecycle: options.lifecycle }),
    tools: {
      ...workbench.runnerOptions({ started: async () => undefined, finished: async () => undefined }),
      hooks: options.hooks ?? [],
    },
  });
}

/** Runs a prompt to its end. `onEvent` may answer questions or abort. */
export async function runToEnd(
  agent: Agent,
  prompt: string,
  onEvent: (event: AgentEvent) => void = () => undefined,
  signal?: AbortSignal,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(prompt, signal)) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

/** The tool results of a run in the order in which the model got them: text and whether it is an error. */
export function resultsOf(events: readonly AgentEvent[]): { readonly text: string; readonly isError: boolean }[] {
  return events
    .flatMap((event) => (event.type === 'message_added' && event.message.role === 'user' ? event.message.content : []))
    .flatMap((block) =>
      block.type === 'tool_result'
        ? [{ text: block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError: block.isError }]
        : [],
    );
}

/** What happened in short: `start:Name` and `end:Name`, in order. */
export function callOrder(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'tool_start') return [`start ${event.subject.split('/').at(-1)}`];
    return event.type === 'tool_result' ? [`end ${event.toolUseId}`] : [];
  });
}
