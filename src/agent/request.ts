import type { Message } from '../core/message.ts';
import type { ModelRequest } from '../core/model.ts';
import { repairHistory } from './repair.ts';
import type { RunContext } from './run-context.ts';

/** The next request of a conversation. A note goes with this request and is not part of the session. */
export function requestOf(context: RunContext, note: string | null): ModelRequest {
  const { transcript } = context;
  const sent = transcript.sentUntil(transcript.messages.length);
  return requestWith(context, note === null ? sent : [...sent, noteMessage(note)]);
}

/** A request that carries these messages, with the system prompt and the tools of the session, so that prompt caches hold. */
export function requestWith(context: RunContext, messages: readonly Message[]): ModelRequest {
  return {
    model: context.model,
    system: context.system,
    messages: repairHistory(messages),
    tools: context.registry.specs(),
    maxOutputTokens: context.maxOutputTokens,
    signal: context.signal,
    onRetryWait: (wait) => context.emit({ type: 'retry_wait', ...wait }),
  };
}

/** A text that wield adds to a conversation for one request. */
export function noteMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
