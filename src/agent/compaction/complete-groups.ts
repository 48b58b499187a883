import type { Message } from '../../core/message.ts';
import { estimateMessageTokens } from '../../core/token-estimate.ts';

/**
 * The indexes at which a history may be cut, the last one first: before an assistant message that does not go on with another one, and
 * before a prompt behind which no result of an earlier call comes. The first message is never cut from nothing, so 0 is not among them.
 */
export function cutPoints(messages: readonly Message[]): readonly number[] {
  const points: number[] = [];
  let holdsResult = false;
  for (let i = messages.length - 1; i > 0; i--) {
    const message = messages[i];
    if (message?.role === 'assistant') {
      holdsResult = false;
      // A turn that was paused goes on in the next message.
      if (messages[i - 1]?.role === 'user') points.push(i);
    } else {
      holdsResult ||= message?.content.some(({ type }) => type === 'tool_result') === true;
      if (!holdsResult) points.push(i);
    }
  }
  return points;
}

/** Where the last complete groups begin that together stay within a number of tokens. What waits for the model's answer is always kept. */
export function firstKeptWithin(messages: readonly Message[], maxTokens: number): number {
  const points = cutPoints(messages);
  let kept = messages.length;
  let tokens = 0;
  for (const point of points) {
    tokens += messages.slice(point, kept).reduce((sum, message) => sum + estimateMessageTokens(message), 0);
    if (tokens > maxTokens) break;
    kept = point;
  }
  return Math.min(kept, firstUnanswered(messages, points));
}

/** Prompts at the end, or a turn that was paused there. Results at the end are not among them: their calls can go with them. */
function firstUnanswered(messages: readonly Message[], points: readonly number[]): number {
  if (messages.at(-1)?.role === 'assistant') return points[0] ?? 0;
  let first = messages.length;
  while (first > 0 && isPrompt(messages[first - 1])) first--;
  return first;
}

function isPrompt(message: Message | undefined): boolean {
  return message?.role === 'user' && message.content.every(({ type }) => type !== 'tool_result');
}
