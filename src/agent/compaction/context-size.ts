import type { Message } from '../../core/message.ts';
import type { Usage } from '../../core/model.ts';
import { estimateMessageTokens, estimateTokens } from '../../core/token-estimate.ts';
import type { RunContext } from '../run-context.ts';

/** From this share of a model's context on, a conversation is compacted before the next request. */
const NEARLY_FULL = 0.8;

/** The tokens that a response and its request took of the context. */
export function contextTokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}

/** About how many tokens these messages are. */
export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

/** The tokens of the next request: what the provider last told, and an estimate of what came since; all estimated where it told nothing. */
export function nextRequestTokens({ transcript, system, registry }: RunContext): number {
  const { messages, measured } = transcript;
  if (measured !== null) return measured.tokens + estimateMessages(messages.slice(measured.messageCount));
  const fixed = estimateTokens(system) + estimateTokens(JSON.stringify(registry.toAPIFormat()));
  return fixed + estimateMessages(transcript.sentUntil(messages.length));
}

/** Why the conversation should be compacted before the next request, or null. With an unknown context only a refusal tells. */
export function nearlyFull(context: RunContext): string | null {
  const { contextTokens } = context.facts;
  if (contextTokens === null) return null;
  const tokens = nextRequestTokens(context);
  return tokens > contextTokens * NEARLY_FULL ? `about ${grouped(tokens)} of ${grouped(contextTokens)} tokens are used` : null;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
