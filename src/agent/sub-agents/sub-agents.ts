import { addSpend, NO_SPEND, type Spend } from '../../core/accounting.ts';
import type { AgentAccess, AgentReport, AgentTask } from '../../core/agent-access.ts';
import type { Emit } from '../../core/agent-event.ts';
import { displayLine } from '../../core/display-text.ts';
import { messageOf } from '../../core/errors.ts';
import { type Message, textOf } from '../../core/message.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import type { Asker } from '../../calls/permit-call.ts';
import { ToolRunner, type ToolRunnerOptions } from '../../calls/run-tools.ts';
import { runLoop } from '../loop.ts';
import type { RunContext } from '../run-context.ts';
import { Transcript } from '../transcript.ts';
import { chooseTools } from './choose-tools.ts';
import type { SubAgentLimits } from './limits.ts';
import { ownView } from './own-view.ts';
import { Places } from './places.ts';
import { type ParentCall, Witness } from './witness.ts';

/** What the sub-agents of a session have in common, most of it with their parent. */
export interface SubAgentsOptions
  extends Omit<RunContext, 'runner' | 'transcript' | 'signal' | 'emit' | 'takeSteering' | 'todos' | 'budget' | 'maxTurns'> {
  readonly tools: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;
  /** The ids of all calls of the session. */
  readonly usedIds: Set<string>;
  readonly limits: SubAgentLimits;
  /** The model of the sub-agent of a call, where it is not its parent's. */
  readonly providerFor?: (toolUseId: string) => RunContext['provider'];
  /** Null where nobody can be asked. */
  askerFor(emit: Emit): Asker | null;
  /** Takes what a sub-agent does, whose id is that of the call. */
  emitAs(agentId: string): Emit;
}

const ROLE = `You are a sub-agent: another agent gave you one task, and your last message goes back to it and nothing else does. Nobody answers you before that, so do not ask; decide, and say what you decided.
Do the task with your tools. Then say what came of it: facts, paths with lines, what you changed and how you checked it, and what you did not do. Leave out how you went about it.`;

/** Runs the sub-agents of a session: each a loop of its own with tools of its parent, under the same gate and in the same order of calls. */
export class SubAgents {
  readonly #options: SubAgentsOptions;
  readonly #places: Places;
  #spend = NO_SPEND;

  constructor(options: SubAgentsOptions) {
    this.#options = options;
    this.#places = new Places(options.limits.maxAtOnce);
  }

  /** What they came to since it was last asked. */
  takeSpend(): Spend {
    const spend = this.#spend;
    this.#spend = NO_SPEND;
    return spend;
  }

  accessFor(call: ParentCall): AgentAccess {
    return { run: (task) => this.#run(task, call) };
  }

  async #run(task: AgentTask, call: ParentCall): ReturnType<AgentAccess['run']> {
    const chosen = chooseTools(this.#options.registry, task.tools);
    if ('unknown' in chosen) return chosen;
    return this.#places.hold(call, () => this.#work(task, call, chosen.registry));
  }

  async #work(task: AgentTask, call: ParentCall, registry: ToolRegistry): Promise<AgentReport> {
    const { limits, askerFor, emitAs, usedIds, providerFor, tools, ...rest } = this.#options;
    const witness = new Witness(emitAs(call.toolUseId), call);
    const transcript = new Transcript([], null, usedIds);
    const message: Message = { role: 'user', content: [{ type: 'text', text: task.prompt }] };
    transcript.add(message);
    witness.emit({ type: 'message_added', message });
    const steps = stepsFor(rest.steps, call);
    const runner = new ToolRunner({ ...ownView(tools, call), registry, steps, ask: titled(askerFor(witness.emit), task.title) });
    const run = runLoop({
      ...rest,
      provider: providerFor?.(call.toolUseId) ?? rest.provider,
      system: `${rest.system}\n\n${ROLE}`,
      registry,
      runner,
      steps,
      transcript,
      signal: call.signal,
      emit: witness.emit,
      maxTurns: Math.min(task.maxTurns ?? limits.maxTurns, limits.maxTurns),
      budget: limits,
      takeSteering: () => [],
    });
    const end = await run.catch((thrown: unknown) => witness.broken(messageOf(thrown)));
    this.#spend = addSpend(this.#spend, end);
    const { outcome, turns } = end;
    const fault = outcome === 'failed' ? witness.fault : null;
    return { outcome, turns, text: lastWords(transcript), fault, calls: witness.calls };
  }
}

/** A step of the model has an id in its own conversation alone. */
function stepsFor(steps: RunContext['steps'], { toolUseId }: ParentCall): RunContext['steps'] {
  return {
    runStep: (step, run) => steps.runStep(step.kind === 'model' ? { ...step, id: `${toolUseId}/${step.id}` } : step, run),
  };
}

/** A person sees for whom they are asked. */
function titled(ask: Asker | null, title: string): Asker | null {
  if (ask === null) return null;
  return (question, signal) =>
    ask({ ...question, details: [`for the sub-agent: ${displayLine(title)}`, ...question.details] }, signal);
}

function lastWords({ messages }: Transcript): string {
  const said = messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message.content).trim()] : []));
  return said.findLast((text) => text !== '') ?? '';
}
