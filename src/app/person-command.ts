import { EventQueue } from '../agent/event-queue.ts';
import { ToolRunner, type ToolRunnerOptions } from '../calls/run-tools.ts';
import { type AgentEvent, type AgentEventBody, PERSON } from '../core/agent-event.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { DIRECT_STEPS } from './direct-steps.ts';

/** Runs a command that a person typed; ends with its `tool_result`. */
export type PersonCommand = (command: string, signal: AbortSignal) => AsyncIterable<AgentEvent>;

/**
 * A person's own command passes the same gate, sandbox and journal as those of the model. What would ask is answered by having typed it;
 * what is refused stays refused.
 */
export function personCommand(
  registry: ToolRegistry,
  options: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>,
): PersonCommand {
  const runner = new ToolRunner({
    ...options,
    registry,
    steps: DIRECT_STEPS,
    ask: () => Promise.resolve({ type: 'allow', scope: 'once' }),
  });
  let count = 0;
  return async function* run(command, signal) {
    const queue = new EventQueue<AgentEventBody>();
    const id = `person_${Date.now().toString(36)}_${++count}`;
    const round = runner.startRound(signal, (event) => queue.push(event));
    round.add({ type: 'tool_use', id, wireId: null, name: 'Bash', input: { command } }, false);
    round.commit();
    const finished = round.results().finally(() => queue.close());
    let seq = 0;
    for await (const event of queue) yield { seq: ++seq, turn: 0, agentId: PERSON, ...event };
    await finished;
  };
}
