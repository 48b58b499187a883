import { createAgent } from '../src/agent/create-agent.ts';
import { composeTools } from '../src/app/compose-tools.ts';
import type { Agent } from '../src/core/agent.ts';
import type { Message } from '../src/core/message.ts';
import { type ModelFacts, NO_USAGE, type Provider, UNKNOWN_MODEL, type Usage } from '../src/core/model.ts';
import type { Job } from '../src/core/ports.ts';
import type { Compaction, SessionLog } from '../src/core/session.ts';
import { TodoList } from '../src/core/todo-list.ts';
import type { TestProject } from './agent-harness.ts';

export interface CompactingAgentOptions {
  readonly contextTokens?: number;
  readonly price?: ModelFacts['price'];
  readonly history?: readonly Message[];
  readonly compaction?: Compaction | null;
  readonly log?: SessionLog;
  readonly jobs?: readonly Job[];
}

const NO_LOG: SessionLog = { id: 'test', append: () => undefined, flush: async () => undefined, close: async () => undefined };

/** An agent on the real tools of this machine, of which the model's context and the session are given. */
export function createCompactingAgent(project: TestProject, provider: Provider, options: CompactingAgentOptions = {}): Agent {
  const todos = new TodoList();
  const { registry, runnerOptions } = composeTools({
    cwd: project.root,
    addDirs: [],
    mode: 'bypassPermissions',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: true,
    folders: { home: '/nowhere', config: project.path('.state'), state: project.path('.state') },
    environment: process.env,
    sessionId: 'test',
    todos,
    seesImages: false,
  });
  return createAgent({
    provider,
    model: 'scripted',
    facts: { ...UNKNOWN_MODEL, contextTokens: options.contextTokens ?? null, price: options.price ?? null },
    system: 'You are a test.',
    registry,
    log: options.log ?? NO_LOG,
    history: options.history ?? [],
    compaction: options.compaction ?? null,
    maxTurns: 20,
    patience: { tries: 2, baseDelayMs: 1 },
    steps: { runStep: (_step, run) => run() },
    todos,
    jobs: { list: () => options.jobs ?? [] },
    canAsk: false,
    tools: runnerOptions({ started: async () => undefined, finished: async () => undefined }),
  });
}

/** The same provider, which tells of these tokens with each response; the n-th of them with the n-th. */
export function withUsage<P extends Provider>(provider: P, usages: readonly Partial<Usage>[]): P {
  let asked = 0;
  return {
    ...provider,
    async *stream(request) {
      const usage = { ...NO_USAGE, ...usages[asked++] };
      for await (const event of provider.stream(request)) {
        const isLast = event.type === 'message_end' || event.type === 'message_failed';
        yield isLast ? { ...event, usage } : event;
      }
    },
  };
}
