import { addSpend, NO_SPEND, type Spend } from '../core/accounting.ts';
import { askModel } from './ask-model.ts';
import type { Reply } from './assemble.ts';
import { compact, compactAhead } from './compaction/compact.ts';
import { nearlyFull } from './compaction/context-size.ts';
import { doubtOf } from './doubt.ts';
import { isReplayRefusal } from './replays.ts';
import { spendOfReply } from './reply-spend.ts';
import { requestOf } from './request.ts';
import { askPatiently, type Attempt } from './retry.ts';
import type { RunContext } from './run-context.ts';

/** A response, and what it came to with all tries and summaries before it. */
export interface Answer extends Attempt {
  readonly spend: Spend;
}

/** Changes what the next request carries, so that it may be taken. `isDone` is false where nothing could be changed. */
interface Remedy {
  fits(reply: Reply): boolean;
  apply(context: RunContext): Promise<{ readonly isDone: boolean; readonly spend: Spend }>;
}

const REMEDIES: readonly Remedy[] = [
  {
    fits: isOverflow,
    apply: (context) => compact(context, 'the model refused it as too long'),
  },
  {
    fits: ({ error }) => isReplayRefusal(error),
    apply: async ({ transcript }) => {
      transcript.dropReplays();
      return { isDone: true, spend: NO_SPEND };
    },
  },
];

/** Asks for the next response. A conversation that is nearly too long is compacted first; what a provider refuses for a reason that can be mended is mended and asked for once more. */
export async function askForReply(context: RunContext): Promise<Answer> {
  const reason = nearlyFull(context);
  let spend = reason === null ? NO_SPEND : await compactAhead(context, reason);
  const untried = new Set(REMEDIES);
  for (;;) {
    const answer = await askOnce(context);
    spend = addSpend(spend, answer.spend);
    const remedy = [...untried].find(({ fits }) => fits(answer.reply));
    if (remedy === undefined || context.signal.aborted) return { ...answer, spend };
    untried.delete(remedy);
    const mended = await remedy.apply(context);
    spend = addSpend(spend, mended.spend);
    if (!mended.isDone) return { ...answer, spend };
    replace(context, answer);
  }
}

async function askOnce(context: RunContext): Promise<Answer> {
  const { provider, runner, steps, facts, transcript, signal, emit } = context;
  const step = { kind: 'model', id: `message_${transcript.messages.length}` } as const;
  let spend = NO_SPEND;
  const ask = async (note: string | null): Promise<Attempt> => {
    const request = requestOf(context, note);
    const round = runner.startRound(signal, emit);
    const reply = await steps.runStep(step, () => askModel(provider, request, { emit, round, usedIds: transcript.usedIds }));
    spend = addSpend(spend, spendOfReply(reply, facts.price));
    return { reply, round, doubt: doubtOf(reply, context) };
  };
  const attempt = await askPatiently(ask, context);
  return { ...attempt, spend };
}

function isOverflow({ error, stopReason }: Reply): boolean {
  return error?.kind === 'context_overflow' || stopReason === 'context_overflow';
}

/** What came of it is dropped, and front ends are told where they showed some. */
function replace({ emit }: RunContext, { reply, round }: Attempt): void {
  round.discard();
  if (reply.message.content.length > 0) {
    emit({ type: 'message_replaced', reason: reply.error?.message ?? 'the context of the model was full' });
  }
}
