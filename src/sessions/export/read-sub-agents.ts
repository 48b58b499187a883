import { addSpend, NO_SPEND, type Spend } from '../../core/accounting.ts';
import type { JsonObject } from '../../core/json-value.ts';
import { toolUsesOf } from '../../core/message.ts';
import { messageOfRecord, subAgentStepOf } from '../session-record.ts';
import { factsOf, outcomeOf } from './call-facts.ts';
import type { SubAgentWork } from './session-document.ts';
import { subjectOf } from './tool-kind.ts';

/** What sub-agents did, by the calls that had started them. */
export function readSubAgents(records: readonly (JsonObject | null)[], cwd: string | null): ReadonlyMap<string, SubAgentWork> {
  const events = new Map<string, JsonObject[]>();
  for (const step of records.map(subAgentStepOf))
    if (step !== null) events.set(step.callId, [...(events.get(step.callId) ?? []), step.event]);
  return new Map([...events].map(([id, steps]) => [id, workOf(steps, cwd)]));
}

function workOf(events: readonly JsonObject[], cwd: string | null): SubAgentWork {
  const { permissions, results, durations } = factsOf(events);
  const messages = events.map(messageOfRecord);
  const uses = messages.flatMap((message) => (message?.role === 'assistant' ? toolUsesOf(message) : []));
  // Their usage and cost were checked when the line was parsed.
  const turns = events.filter(({ type }) => type === 'turn_end') as unknown as readonly Spend[];
  return {
    turns: turns.length,
    ...turns.reduce(addSpend, NO_SPEND),
    calls: uses.map(({ id, name, input }) => ({
      id,
      name,
      subject: subjectOf(input, cwd),
      outcome: outcomeOf(results.get(id), permissions.get(id) ?? null),
      durationMs: durations.get(id) ?? null,
    })),
  };
}
