import type { RunOutcome } from '../core/agent-event.ts';
import { addSpend, isReported, NO_SPEND, type Spend } from '../core/accounting.ts';
import type { Message, ToolResultBlock } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import type { Round } from '../calls/run-tools.ts';
import { askForReply } from './ask-reply.ts';
import type { Reply } from './assemble.ts';
import { isSpent } from './budget.ts';
import { contextTokensOf } from './compaction/context-size.ts';
import { outcomeOf } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { Stalls } from './stalls.ts';

/** What a run came to. */
export interface RunEnd extends Spend {
  readonly outcome: RunOutcome;
  readonly turns: number;
}

/** Ask, run the calls, answer them, ask again, until the model has nothing more to call. */
export async function runLoop(context: RunContext): Promise<RunEnd> {
  const stalls = new Stalls(context.emit);
  let total = NO_SPEND;
  for (let turn = 1; turn <= context.maxTurns; turn++) {
    context.emit({ type: 'turn_start' });
    const { reply, round, spend } = await askForReply(context);
    total = addSpend(total, spend);
    addReply(context, reply);
    const outcome = outcomeOf(context, reply);
    if (outcome === null) await answerCalls(context, reply, round);
    else round.discard();
    const end = outcome ?? stalls.outcomeAfter(reply.stopReason);
    context.emit({ type: 'turn_end', stopReason: reply.stopReason ?? 'end_turn', ...spend });
    if (context.signal.aborted) return { outcome: 'aborted', turns: turn, ...total };
    if (end !== null) return { outcome: end, turns: turn, ...total };
    if (context.budget !== undefined && isSpent(total, context.budget)) return { outcome: 'budget', turns: turn, ...total };
    if (isStoppedByHook(context)) return { outcome: 'done', turns: turn, ...total };
  }
  return { outcome: 'max_turns', turns: context.maxTurns, ...total };
}

/** The person's own hook ends the run; it is told why. */
function isStoppedByHook({ lifecycle, emit }: RunContext): boolean {
  const reason = lifecycle?.takeStop() ?? null;
  if (reason !== null) emit({ type: 'notice', text: `A hook ended the run: ${reason}` });
  return reason !== null;
}

function addReply(context: RunContext, { message, usage }: Reply): void {
  if (message.content.length > 0) add(context, message);
  if (isReported(usage)) context.transcript.noteSize(contextTokensOf(usage));
}

/** Every call gets one answer, in one user message, in call order. A paused turn has nothing to answer. */
async function answerCalls(context: RunContext, reply: Reply, round: Round): Promise<void> {
  const calls = toolUsesOf(reply.message);
  if (calls.length === 0) return;
  const mayRun = reply.message.state === 'complete' && reply.stopReason === 'tool_use';
  // Nothing with an effect starts before the session holds the call.
  await context.log.flush();
  if (mayRun) round.commit();
  else round.discard();
  const results = mayRun ? await round.results() : calls.map(({ id }) => cutResult(id, reply));
  add(context, { role: 'user', content: [...results, ...context.takeSteering()] });
}

function cutResult(toolUseId: string, { stopReason }: Reply): ToolResultBlock {
  const text =
    stopReason === 'max_tokens'
      ? 'Your message was cut at the output limit, so none of its calls were run. Send the call again, in smaller pieces if it is long.'
      : `Your message ended with ${stopReason} and not with its calls, so none of them were run. Send the call again if you want it.`;
  return { type: 'tool_result', toolUseId, content: [{ type: 'text', text }], isError: true };
}

function add({ transcript, emit }: RunContext, message: Message): void {
  transcript.add(message);
  emit({ type: 'message_added', message });
}
