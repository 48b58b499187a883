import type { Message } from '../../core/message.ts';
import type { Compaction } from '../../core/session.ts';

/** The messages with a summary in place of the older ones; the first prompt stays. The same input gives the same messages. */
export function compactedMessages(messages: readonly Message[], compaction: Compaction | null): readonly Message[] {
  if (compaction === null) return messages;
  const summary: Message = { role: 'user', content: [{ type: 'text', text: compaction.summary }] };
  return [...firstPrompt(messages), summary, ...messages.slice(compaction.firstKept)];
}

/** Without results, whose calls are not there. */
function firstPrompt([first]: readonly Message[]): Message[] {
  return first?.role === 'user' ? [{ role: 'user', content: first.content.filter(({ type }) => type !== 'tool_result') }] : [];
}
