import { NO_SPEND, type Spend } from '../../core/accounting.ts';
import { firstKeptWithin } from './complete-groups.ts';
import { estimateMessages } from './context-size.ts';
import type { RunContext } from '../run-context.ts';
import { digestSession } from './session-digest.ts';
import { summarize } from './summarize.ts';

/** What is kept as it is: this share of what the model takes, or of what there is where that is less or the model's context unknown. */
const KEPT_SHARE = 0.2;

/** What a compaction came to. `isDone` is false where nothing could be taken out, or the run was aborted meanwhile. */
export interface Compacted {
  readonly isDone: boolean;
  readonly spend: Spend;
}

const NOT_DONE: Compacted = { isDone: false, spend: NO_SPEND };

/**
 * Puts a summary in place of the older messages in all requests from now on; the session keeps every message. It cuts between complete
 * groups alone, and keeps the first prompt, the last groups that fit, and what waits for an answer. The model writes the summary; where it
 * cannot, the session's record does.
 */
export async function compact(context: RunContext, reason: string): Promise<Compacted> {
  const { transcript, emit, signal } = context;
  const firstKept = firstKeptWithin(transcript.messages, keptTokens(context));
  if (firstKept <= (transcript.compaction?.firstKept ?? 1)) return NOT_DONE;
  const { text, spend } = await summarize(context, transcript.sentUntil(firstKept));
  if (signal.aborted) return { isDone: false, spend: spend ?? NO_SPEND };
  const digest = await digestSession(context, firstKept);
  const summary = renderSummary(text ?? digest.summary, digest.state);
  transcript.compact({ summary, firstKept });
  const keptMessages = transcript.messages.length - firstKept;
  emit({ type: 'compacted', reason, summary, keptMessages, by: text === null ? 'record' : 'model' });
  return { isDone: true, spend: spend ?? NO_SPEND };
}

/** Does so before a request that would be nearly too long, where what can be taken out is worth a summary. */
export async function compactAhead(context: RunContext, reason: string): Promise<Spend> {
  const { transcript } = context;
  const budget = keptTokens(context);
  const firstKept = firstKeptWithin(transcript.messages, budget);
  // Else each turn would pay for a summary of the turn before.
  const isWorthIt = estimateMessages(transcript.messages.slice(transcript.compaction?.firstKept ?? 1, firstKept)) > budget;
  return isWorthIt ? (await compact(context, reason)).spend : NO_SPEND;
}

function keptTokens({ facts, transcript }: RunContext): number {
  const present = estimateMessages(transcript.sentUntil(transcript.messages.length));
  return KEPT_SHARE * Math.min(facts.contextTokens ?? present, present);
}

function renderSummary(summary: string, state: string): string {
  const parts = [
    'The conversation after the first prompt had become too long; up to here this summary stands in its place. What files hold is no longer in view: read again what you need.',
    `<summary>\n${summary}\n</summary>`,
    ...(state === '' ? [] : [`From the record of the session:\n\n${state}`]),
  ];
  return parts.join('\n\n').toWellFormed();
}
