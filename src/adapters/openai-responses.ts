import { parseToolInput } from '../core/tool-input.ts';
import type { Toolbox } from '../sdk/create-toolbox.ts';
import { wordsOf } from './words.ts';

/** What is looked at of a response of OpenAI's Responses API. */
export interface OpenAIResponsesReply {
  readonly output: readonly { readonly type: string }[];
}

/** An input item that answers one call. */
export interface OpenAIResponsesAnswer {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

interface FunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * Runs the calls of a response of OpenAI's Responses API, and gives the input items that answer them; none where it calls nothing.
 * Source: OpenAI, API reference, responses, read 2026-11.
 */
export async function answerOpenAIResponses(
  toolbox: Toolbox,
  { output }: OpenAIResponsesReply,
  signal?: AbortSignal,
): Promise<OpenAIResponsesAnswer[]> {
  const calls = output.filter((item): item is FunctionCall => item.type === 'function_call');
  const results = await toolbox.callAll(
    calls.map(({ name, arguments: json }) => ({ name, ...parseToolInput(json) })),
    signal,
  );
  return calls.map(({ call_id: id }, i) => ({ type: 'function_call_output', call_id: id, output: wordsOf(results[i]) }));
}
