import type { ProviderError } from '../core/errors.ts';
import type { AssistantMessage, Message } from '../core/message.ts';

// How providers refuse reasoning that they sealed themselves, after a change of key, account or model version.
// Sources: OpenAI Responses ("The encrypted content for item rs_… could not be verified"), Gemini ("Corrupted thought signature"),
// Anthropic ("messages.1.content.0: Invalid `signature` in `thinking` block").
const REFUSALS = [
  /encrypted.content\b.*\bcould not be (?:verified|decrypted)/is,
  /(?:corrupted|invalid) thought.?signature/i,
  /thought.?signature is not valid/i,
  /invalid\W+signature\W+in\W+(?:redacted_)?thinking\W+block/i,
] as const;

/** True where a provider refuses what it should be able to read: then the conversation goes on without that. */
export function isReplayRefusal(error: ProviderError | null): boolean {
  return error?.kind === 'bad_request' && REFUSALS.some((refusal) => refusal.test(error.message));
}

/** The messages without reasoning and without anything that only its maker can read; the words, calls and results stay. */
export function withoutReplays(messages: readonly Message[]): Message[] {
  return messages.map((message) => (message.role === 'assistant' ? withoutOwn(message) : message));
}

function withoutOwn(message: AssistantMessage): AssistantMessage {
  const content = message.content.flatMap((block) => {
    if (block.type === 'thinking' || block.type === 'opaque') return [];
    const { replay: _none, ...open } = block;
    return [open];
  });
  return { ...message, content };
}
