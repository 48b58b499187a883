import { parseToolInput } from '../core/tool-input.ts';
import type { Toolbox } from '../sdk/create-toolbox.ts';
import { wordsOf } from './words.ts';

/** What is looked at of a message of OpenAI's chat completions. */
export interface OpenAIChatReply {
  readonly tool_calls?: readonly { readonly type: string; readonly id: string }[] | undefined;
}

/** A message that answers one call. */
export interface OpenAIChatAnswer {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

interface FunctionCall {
  readonly type: 'function';
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * Runs the calls of a reply of OpenAI's chat completions, and gives the messages that answer them; none where it calls nothing.
 * Images are named and not shown: this format takes none in a result. Source: OpenAI, API reference, chat, read 2026-11.
 */
export async function answerOpenAIChat(
  toolbox: Toolbox,
  { tool_calls: toolCalls = [] }: OpenAIChatReply,
  signal?: AbortSignal,
): Promise<OpenAIChatAnswer[]> {
  const calls = toolCalls.filter((call): call is FunctionCall => call.type === 'function');
  const results = await toolbox.callAll(
    calls.map(({ function: { name, arguments: json } }) => ({ name, ...parseToolInput(json) })),
    signal,
  );
  return calls.map(({ id }, i) => ({ role: 'tool', tool_call_id: id, content: wordsOf(results[i]) }));
}
