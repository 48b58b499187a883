import type { AgentEvent } from '../core/agent-event.ts';
import { type RunSummary, SummaryCollector } from '../headless/outcome.ts';

export type { RunSummary };

/**
 * Reads a run to its end: the last text, how it ended, turns, tokens and cost, what failed and what was denied.
 * `onEvent` sees each event on the way. A run that fails is told by `outcome`; nothing is thrown for it.
 */
export async function collectRun(
  events: AsyncIterable<AgentEvent>,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<RunSummary> {
  const collector = new SummaryCollector();
  for await (const event of events) {
    collector.accept(event);
    onEvent(event);
  }
  return collector.summary();
}
