import type { Spend } from '../../core/accounting.ts';
import type { Message } from '../../core/message.ts';
import { textOf } from '../../core/message.ts';
import type { Round } from '../../calls/run-tools.ts';
import { askModel } from '../ask-model.ts';
import { estimateMessages } from './context-size.ts';
import { doubtOf } from '../doubt.ts';
import { spendOfReply } from '../reply-spend.ts';
import { noteMessage, requestWith } from '../request.ts';
import type { RunContext } from '../run-context.ts';

const MAX_SUMMARY_TOKENS = 8_000;

const INSTRUCTION = `This conversation has become too long. Your next message will stand in its place, and the work goes on from it, so write down what is needed to go on. Write text only and call no tool.
- What was asked for, with every condition that was set, in the person's words where they matter.
- What was done and what was found: paths, names, commands, figures.
- What failed and why, and what was ruled out.
- What is left to do, and the next step.
Write only what stands in the conversation, in at most 1,500 words.`;

/** The calls of a summary are not run. */
const NO_ROUND: Round = {
  add: () => undefined,
  commit: () => undefined,
  discard: () => undefined,
  results: async () => [],
};

/** Asks the model for a summary of messages. Null where they are too long for it, or where it gave no whole text. */
export async function summarize(
  context: RunContext,
  messages: readonly Message[],
): Promise<{ readonly text: string; readonly spend: Spend } | { readonly text: null; readonly spend: Spend | null }> {
  const { provider, steps, facts, transcript } = context;
  if (!fits(messages, facts.contextTokens)) return { text: null, spend: null };
  const request = {
    ...requestWith(context, [...messages, noteMessage(INSTRUCTION)]),
    maxOutputTokens: Math.min(context.maxOutputTokens, MAX_SUMMARY_TOKENS),
  };
  const step = { kind: 'model', id: `summary_${transcript.messages.length}` } as const;
  // Nobody is shown how it comes, and its calls take no ids.
  const silent = { emit: () => undefined, round: NO_ROUND, usedIds: new Set<string>() };
  const reply = await steps.runStep(step, () => askModel(provider, request, silent));
  const spend = spendOfReply(reply, facts.price);
  const text = textOf(reply.message.content).trim();
  const isWhole = reply.error === null && reply.message.state === 'complete' && doubtOf(reply, context) === null;
  return isWhole && text !== '' ? { text, spend } : { text: null, spend };
}

function fits(messages: readonly Message[], contextTokens: number | null): boolean {
  return contextTokens === null || estimateMessages(messages) + MAX_SUMMARY_TOKENS <= contextTokens;
}
