import { type Answer, type Plan, PlanStop, type Round } from './plan.ts';
import type { Call } from './toolbox.ts';
import type { AnsweredCall } from './transcript.ts';

/** Where a plan stands: its next round, or its final text. */
export type Standing = { readonly next: Round } | { readonly final: string };

/**
 * Runs a plan from its start over what was already answered, and says what comes next.
 * Answers are handed out in call order. A call that was made before is never made again: it gets its earlier answer.
 */
export function replayPlan(plan: Plan, answered: readonly AnsweredCall[]): Standing {
  try {
    return replay(plan, answered);
  } catch (thrown) {
    if (thrown instanceof PlanStop) return { final: thrown.message };
    throw thrown;
  }
}

function replay(plan: Plan, answered: readonly AnsweredCall[]): Standing {
  const known = new Map<string, Answer>();
  const rest = [...answered];
  let step = plan.next();
  while (step.done !== true) {
    const fresh = step.value.calls.filter((call) => !known.has(keyOf(call)));
    const missing = fresh.filter((call) => !noteAnswer(known, call, rest.shift()));
    if (missing.length > 0) return { next: { say: step.value.say, calls: missing } };
    step = plan.next(step.value.calls.flatMap((call) => known.get(keyOf(call)) ?? []));
  }
  return { final: step.value };
}

// By order and not by input: a person or a hook may have changed the input before the call ran.
function noteAnswer(known: Map<string, Answer>, call: Call, answered: AnsweredCall | undefined): boolean {
  if (answered === undefined) return false;
  known.set(keyOf(call), { call, text: answered.text, isError: answered.isError });
  return true;
}

function keyOf(call: Call): string {
  return `${call.tool} ${JSON.stringify(call.input)}`;
}
