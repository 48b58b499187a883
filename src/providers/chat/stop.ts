import type { ProviderError } from '../../core/errors.ts';
import type { StopReason } from '../../core/model.ts';
import { protocolError } from '../wire-reader.ts';

// A map: the words come from outside. OpenAI's own first, then those of its imitators.
const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map(
  Object.entries({
    stop: 'end_turn',
    tool_calls: 'tool_use',
    length: 'max_tokens',
    content_filter: 'refusal',
    function_call: 'tool_use',
    eos: 'end_turn',
    end_turn: 'end_turn',
    stop_sequence: 'stop_sequence',
    tool_use: 'tool_use',
    max_tokens: 'max_tokens',
    model_length: 'context_overflow', // Mistral
    model_context_window_exceeded: 'context_overflow', // z.ai
    sensitive: 'refusal', // z.ai
    refusal: 'refusal',
  } satisfies Record<string, StopReason>),
);

// Broken on the server's side: worth asking again.
const SERVER_WORDS: ReadonlyMap<string, ProviderError['kind']> = new Map([
  ['error', 'server'],
  ['network_error', 'server'], // z.ai
  ['insufficient_system_resource', 'overloaded'], // DeepSeek
]);

/** Gemini's door says so where the model wrote no valid call. Source: coder/coder#28470 */
const MALFORMED_CALL = /malformed_function_call|unexpected_tool_call/i;

const GRAVITY: readonly StopReason[] = ['end_turn', 'stop_sequence', 'tool_use', 'refusal', 'max_tokens', 'context_overflow'];

/** Of two finish reasons the graver one: a later `stop` does not undo `tool_calls`, nor `length`. Neither is known at first. */
export function graverStop(before: string | null, word: string | null): string | null {
  if (before === null || word === null) return before ?? word;
  return gravityOf(word) >= gravityOf(before) ? word : before;
}

function gravityOf(word: string): number {
  const reason = STOP_REASONS.get(word.toLowerCase());
  return reason === undefined ? GRAVITY.length : GRAVITY.indexOf(reason);
}

/** What a finish reason means, or why it ends the message as failed. None at all before `[DONE]` is what the content says. */
export function stopOf(
  word: string | null,
  content: { readonly hasCalls: boolean; readonly isRefusal: boolean },
): StopReason | ProviderError {
  const reason = word === null ? 'end_turn' : STOP_REASONS.get(word.toLowerCase());
  if (reason === undefined) return finishError(word ?? '');
  if (content.isRefusal) return 'refusal';
  // A forced tool_choice at OpenAI, Ollama and Gemini's door finish calls with `stop`. Source: recorded streams, 47 of OpenAI's
  const isEnd = reason === 'end_turn' || reason === 'stop_sequence';
  return isEnd && content.hasCalls ? 'tool_use' : reason;
}

function finishError(word: string): ProviderError {
  if (MALFORMED_CALL.test(word)) return malformedCall(`The model garbled its call (${word}).`);
  const kind = SERVER_WORDS.get(word.toLowerCase());
  return kind === undefined
    ? protocolError(`the unknown finish reason "${word}"`)
    : { kind, message: `The server gave the answer up with "${word}".`, status: null };
}

/** The model wrote something that is no call: ask it again. */
export function malformedCall(message: string): ProviderError {
  return { kind: 'malformed_call', message, status: null };
}
