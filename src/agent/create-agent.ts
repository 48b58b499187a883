import { addSpend, NO_SPEND } from '../core/accounting.ts';
import type { Agent, UserInput } from '../core/agent.ts';
import { type AgentEvent, type Emit, MAIN_AGENT } from '../core/agent-event.ts';
import { AgentError, type ErrorRecord, messageOf } from '../core/errors.ts';
import type { ImageBlock, Message, TextBlock } from '../core/message.ts';
import { type ModelFacts, type Provider, UNKNOWN_MODEL } from '../core/model.ts';
import type { HookRun, JobTable, Lifecycle, StepRunner } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { schemaSizesOf } from '../core/ledger.ts';
import type { Compaction, SessionLog } from '../core/session.ts';
import type { TodoList } from '../core/todo-list.ts';
import type { Asker } from '../calls/permit-call.ts';
import { ToolRunner, type ToolRunnerOptions } from '../calls/run-tools.ts';
import { Schedule } from '../calls/schedule.ts';
import { EventQueue } from './event-queue.ts';
import { admitPrompt, hookRunOf, runWithHooks } from './hooked-run.ts';
import { compactNow } from './compaction/compact-now.ts';
import type { RunEnd } from './loop.ts';
import { QuestionDesk } from './question-desk.ts';
import { DEFAULT_PATIENCE, type Patience } from './retry.ts';
import type { RunContext } from './run-context.ts';
import { DEFAULT_LIMITS, type SubAgentLimits } from './sub-agents/limits.ts';
import { passStop } from './sub-agents/passed-stop.ts';
import { SubAgents } from './sub-agents/sub-agents.ts';
import { Transcript } from './transcript.ts';

export interface AgentOptions {
  readonly provider: Provider;
  readonly model: string;
  readonly facts?: ModelFacts;
  readonly system: string;
  readonly registry: ToolRegistry;
  readonly log: SessionLog;
  /** Messages of a session that goes on. */
  readonly history?: readonly Message[];
  /** What stands for the older ones of them in requests. */
  readonly compaction?: Compaction | null;
  /** Ids of calls that are not among the messages and not to be given again. */
  readonly pastCallIds?: readonly string[];
  readonly maxTurns?: number;
  readonly maxOutputTokens?: number;
  readonly patience?: Patience;
  readonly steps: StepRunner;
  /** The user's own code around the session. */
  readonly lifecycle?: Lifecycle;
  /** Waits for what each run needs to be there, such as tools that come from elsewhere, and tells what of it is not. */
  readonly beforeRun?: (run: HookRun) => Promise<void>;
  /** The plan that the plan tools hold; its changes become events. */
  readonly todos?: TodoList;
  /** Background commands; those that run are told of when a conversation is compacted. */
  readonly jobs?: Pick<JobTable, 'list'>;
  /** How far sub-agents may go, and by which model they work where that is not this one. */
  readonly subAgents?: {
    readonly limits?: Partial<SubAgentLimits>;
    readonly providerFor?: (toolUseId: string) => Provider;
  };
  /** False in headless mode: what would ask is denied. */
  readonly canAsk: boolean;
  readonly tools: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;
}

const DEFAULT_MAX_TURNS = 200;
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;

/** One after another, each told of until it has ended. */
type Work = (stop: AbortSignal) => Promise<void>;

/** Makes an agent: one session, one run at a time. */
export function createAgent(options: AgentOptions): Agent {
  const transcript = new Transcript(options.history ?? [], options.compaction);
  for (const id of options.pastCallIds ?? []) transcript.usedIds.add(id);
  const steering: TextBlock[] = [];
  const enqueued: string[] = [];
  let seq = 0;
  let queue = new EventQueue<AgentEvent>();
  let isRunning = false;
  let isStarted = false;

  const emitAs = (agentId: string): Emit => {
    let turn = 0;
    return (body) => {
      if (body.type === 'turn_start') turn++;
      const event: AgentEvent = { seq: ++seq, turn, agentId, ...body };
      options.log.append(event);
      queue.push(event);
    };
  };
  const emit = emitAs(MAIN_AGENT);
  options.todos?.onChange((list) => emit({ type: 'todos', list }));
  const desk = new QuestionDesk();
  const askerFor = (emitter: Emit): Asker | null => (options.canAsk ? desk.askerFor(emitter) : null);
  const stop = options.lifecycle === undefined ? null : passStop(options.lifecycle);
  const lifecycle = stop?.forMain;
  // One order of calls for all of its agents: what one changes is not taken for the work of another.
  const tools = { ...options.tools, schedule: new Schedule() };
  const shared = {
    ...options,
    facts: options.facts ?? UNKNOWN_MODEL,
    cwd: options.tools.cwd,
    maxOutputTokens: options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    patience: options.patience ?? DEFAULT_PATIENCE,
  };
  const { todos: _plan, lifecycle: _lifecycle, ...forSubAgents } = shared;
  const subAgents = new SubAgents({
    ...forSubAgents,
    ...(stop === null ? {} : { lifecycle: stop.forSubAgents }),
    tools,
    usedIds: transcript.usedIds,
    limits: limitsOf(options),
    ...(options.subAgents?.providerFor === undefined ? {} : { providerFor: options.subAgents.providerFor }),
    askerFor,
    emitAs,
  });
  const runner = new ToolRunner({
    ...tools,
    registry: options.registry,
    steps: options.steps,
    ask: askerFor(emit),
    contextFor: (call, grant, signal, emitter) => {
      const context = tools.contextFor(call, grant, signal, emitter);
      return { ...context, agents: subAgents.accessFor(context) };
    },
  });

  async function admitted(content: ReturnType<typeof contentOf>, signal: AbortSignal): Promise<ReturnType<typeof contentOf>> {
    if (lifecycle === undefined) return content;
    const starts = isStarted ? null : (options.history ?? []).length > 0 ? 'resume' : 'startup';
    isStarted = true;
    return admitPrompt(content, lifecycle, { starts, run: hookRunOf(signal, emit) });
  }

  async function runOnce(prompt: UserInput, signal: AbortSignal): Promise<void> {
    let end: RunEnd = { outcome: 'failed', turns: 0, ...NO_SPEND };
    try {
      const notices: string[] = [];
      await options.beforeRun?.({ signal, notify: (text) => void notices.push(text) });
      emit({ type: 'run_start', tools: schemaSizesOf(options.registry) });
      for (const text of notices) emit({ type: 'notice', text });
      const message: Message = { role: 'user', content: await admitted(contentOf(prompt), signal) };
      transcript.add(message);
      emit({ type: 'message_added', message });
      end = await runWithHooks(contextOf(signal));
    } catch (thrown) {
      emit({ type: 'error', error: errorRecord(thrown) });
    }
    await flush();
    emit({ type: 'run_end', ...end, ...addSpend(end, subAgents.takeSpend()) });
  }

  async function compactOnce(signal: AbortSignal): Promise<void> {
    await compactNow(contextOf(signal)).catch((thrown: unknown) => emit({ type: 'error', error: errorRecord(thrown) }));
    await flush();
  }

  async function flush(): Promise<void> {
    await options.log.flush().catch((thrown: unknown) => emit({ type: 'error', error: errorRecord(thrown) }));
  }

  function contextOf(signal: AbortSignal): RunContext {
    return {
      ...shared,
      ...(lifecycle === undefined ? {} : { lifecycle }),
      runner,
      transcript,
      signal,
      emit,
      maxTurns: options.maxTurns ?? DEFAULT_MAX_TURNS,
      takeSteering: () => steering.splice(0),
    };
  }

  /** The prompt, then those that were enqueued meanwhile. */
  function* runsOf(prompt: UserInput): Generator<Work> {
    for (let next: UserInput | undefined = prompt; next !== undefined; next = enqueued.shift()) {
      const given = next;
      yield (stop) => runOnce(given, stop);
    }
  }

  async function* stream(works: Iterable<Work>, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    if (isRunning) throw alreadyRunning();
    isRunning = true;
    // A consumer that stops reading stops the run.
    const left = new AbortController();
    const stop = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]);
    let finished = Promise.resolve();
    try {
      for (const work of works) {
        queue = new EventQueue();
        finished = work(stop).finally(() => queue.close());
        yield* queue;
        await finished;
      }
    } finally {
      left.abort();
      await finished;
      isRunning = false;
    }
  }

  return {
    sessionId: options.log.id,
    run: (prompt, signal) => stream(runsOf(prompt), signal),
    compact: (signal) => stream([compactOnce], signal),
    answer: (requestId, answer) => desk.answer(requestId, answer),
    steer: (text) => void steering.push({ type: 'text', text }),
    enqueue: (text) => void enqueued.push(text),
    goOnFrom: ({ messages, compaction, todos }) => {
      if (isRunning) throw alreadyRunning();
      transcript.replace(messages, compaction);
      options.todos?.replace(todos);
    },
  };
}

/** Who limits the turns of a run means those of its sub-agents too, unless these have a limit of their own. */
function limitsOf({ maxTurns = DEFAULT_LIMITS.maxTurns, subAgents }: AgentOptions): SubAgentLimits {
  return { ...DEFAULT_LIMITS, maxTurns: Math.min(maxTurns, DEFAULT_LIMITS.maxTurns), ...subAgents?.limits };
}

function contentOf(prompt: UserInput): readonly (TextBlock | ImageBlock)[] {
  return typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
}

function alreadyRunning(): AgentError {
  return new AgentError({
    code: 'misuse',
    message: 'This agent is already running.',
    remedy: 'Wait for run_end, or use enqueue().',
  });
}

function errorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof AgentError) return { code: thrown.code, message: thrown.message, remedy: thrown.remedy };
  return {
    code: 'internal',
    message: `Something inside wield broke: ${messageOf(thrown)}`,
    remedy: 'Please report it; the session is kept for --continue.',
  };
}
