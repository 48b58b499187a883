import type { Toolbox } from '../sdk/create-toolbox.ts';
import { wordsOf } from './words.ts';

/** What is looked at of a content of the Gemini API. */
export interface GeminiReply {
  readonly parts?: readonly object[] | undefined;
}

/** The content that answers the calls of a reply. */
export interface GeminiAnswer {
  role: 'user';
  parts: { functionResponse: { id?: string; name: string; response: { output: string } | { error: string } } }[];
}

interface CallPart {
  readonly functionCall: { readonly id?: string; readonly name: string; readonly args?: unknown };
}

/**
 * Runs the calls of a content of the Gemini API, and gives the content that answers them; null where it calls nothing.
 * Source: Google, Gemini API, function calling, read 2026-11.
 */
export async function answerGemini(
  toolbox: Toolbox,
  { parts = [] }: GeminiReply,
  signal?: AbortSignal,
): Promise<GeminiAnswer | null> {
  const calls = parts.filter((part): part is CallPart => 'functionCall' in part).map(({ functionCall }) => functionCall);
  if (calls.length === 0) return null;
  const results = await toolbox.callAll(
    calls.map(({ name, args = {} }) => ({ name, input: args })),
    signal,
  );
  return {
    role: 'user',
    parts: calls.map(({ id, name }, i) => {
      const words = wordsOf(results[i]);
      const response = results[i]?.isError === true ? { error: words } : { output: words };
      return { functionResponse: { ...(id === undefined ? {} : { id }), name, response } };
    }),
  };
}
