import { randomUUID } from 'node:crypto';
import { createAgent as createLoopAgent, type AgentOptions as LoopOptions } from '../agent/create-agent.ts';
import { renderSystemPrompt } from '../agent/system-prompt.ts';
import { DIRECT_STEPS } from '../app/direct-steps.ts';
import type { Agent } from '../core/agent.ts';
import type { Backend } from '../core/backend.ts';
import { AgentError } from '../core/errors.ts';
import type { Message } from '../core/message.ts';
import type { ModelFacts, Provider } from '../core/model.ts';
import type { Lifecycle, StepRunner } from '../core/ports.ts';
import type { SessionLog } from '../core/session.ts';
import type { TodoList } from '../core/todo-list.ts';
import { openTools, type ToolsOptions } from './open-tools.ts';

/** What an agent is made of. Only a provider and a place to work in are needed. */
export type AgentOptions = ToolsOptions & {
  readonly provider: Provider;
  /** Default: the provider's own. */
  readonly model?: string;
  /** What is known of the model; without its context size a long session is compacted only when the provider refuses it. */
  readonly facts?: ModelFacts;
  /** The system prompt. Default: wield's own, see `renderSystemPrompt`. */
  readonly system?: string;
  /** True where somebody answers each `permission_request` with `agent.answer()`. Default false: what would ask is denied, and the model told so. */
  readonly canAsk?: boolean;
  /** A conversation to go on from. */
  readonly history?: readonly Message[];
  /** Requests to the model in one run. Default 200. */
  readonly maxTurns?: number;
  readonly maxOutputTokens?: number;
  /** How far sub-agents may go; they need the tool of `createTaskTool`. */
  readonly subAgents?: SubAgents;
  /** The plan that the plan tools were made with; its changes become events. */
  readonly todos?: TodoList;
  /** Takes the durable events, see `openSessionLog`. Default: nothing is kept. */
  readonly log?: SessionLog;
  readonly lifecycle?: Lifecycle;
  /** Runs each request and each call; a durable engine can stand in. */
  readonly steps?: StepRunner;
};

type SubAgents = NonNullable<LoopOptions['subAgents']>;

/** An agent and what it works on; whoever makes it closes it. */
export interface OpenAgent extends Agent, AsyncDisposable {
  readonly backend: Backend;
  /** Ends background commands and lets go of the backend. */
  close(): Promise<void>;
}

/**
 * Makes an agent: one conversation, one run at a time. `run` gives what happens as it happens.
 * Errors: AgentError `folder_missing`, `misuse` for a permission rule that is none.
 */
export function createAgent(options: AgentOptions): OpenAgent {
  const provider = checkedProvider(options.provider);
  const { backend, registry, runnerOptions } = openTools(options, { seesImages: provider.seesImages });
  const { cwd, jobs } = backend;
  const agent = createLoopAgent({
    ...given(options),
    provider,
    model: options.model ?? provider.model ?? provider.id,
    system:
      options.system ??
      renderSystemPrompt({
        cwd,
        platform: backend.machine === undefined ? 'none: files are not on a disk' : process.platform,
        date: new Date().toISOString().slice(0, 10),
        toolNames: registry.toolNames,
        instructions: [],
        appended: null,
      }),
    registry,
    log: options.log ?? createUnkeptLog(),
    steps: options.steps ?? DIRECT_STEPS,
    canAsk: options.canAsk ?? false,
    ...(jobs === undefined ? {} : { jobs }),
    tools: runnerOptions,
  });
  const close = (): Promise<void> => backend.close();
  return { ...agent, backend, close, [Symbol.asyncDispose]: close };
}

/** A program without types can leave it out, or forget that `createProvider` is waited for. */
function checkedProvider(provider: Provider | undefined): Provider {
  if (typeof provider?.stream === 'function') return provider;
  const message = 'provider is none: it has no function stream.';
  throw new AgentError({ code: 'misuse', message, remedy: 'Give what createProvider resolves to; it is waited for with await.' });
}

/** The options that the loop takes as they are. */
function given({
  provider,
  facts = provider.facts,
  history,
  maxTurns,
  maxOutputTokens,
  subAgents,
  todos,
  lifecycle,
}: AgentOptions) {
  return {
    ...(subAgents === undefined ? {} : { subAgents }),
    ...(facts === undefined ? {} : { facts }),
    ...(history === undefined ? {} : { history }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(todos === undefined ? {} : { todos }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
  } satisfies Partial<LoopOptions>;
}

function createUnkeptLog(): SessionLog {
  return { id: randomUUID(), append: () => undefined, flush: async () => undefined, close: async () => undefined };
}
