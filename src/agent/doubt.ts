import type { Provider } from '../core/model.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { Reply } from './assemble.ts';
import { leakedCallIn } from './leaked-call.ts';
import { isEmptyAnswer } from './outcome.ts';

/** Why an answer that came whole is asked for once more, with a note to the model. Where it is the same again, it stands. */
export interface Doubt {
  readonly kind: 'leaked_call' | 'empty_answer';
  readonly reason: string;
  readonly note: string;
  /** What a person is told where it is the same again; null where the end of the run tells. */
  readonly notice: string | null;
}

const EMPTY_ANSWER: Doubt = {
  kind: 'empty_answer',
  reason: 'The model answered with nothing.',
  note: 'Your last message had neither text nor a tool call in it. Write your answer as text, or call a tool.',
  notice: null,
};

/** What is doubtful about an answer, or null. */
export function doubtOf(
  reply: Reply,
  { provider, registry }: { readonly provider: Provider; readonly registry: ToolRegistry },
): Doubt | null {
  if (reply.error !== null) return null;
  const names = registry.specs().map(({ name }) => name);
  const marker = provider.readsCallsFromText === true ? null : leakedCallIn(reply.message, names);
  if (marker !== null) return leakedCall(marker);
  return isEmptyAnswer(reply) ? EMPTY_ANSWER : null;
}

/** It may as well be quoted from a file: then the model says so by sending it again. */
function leakedCall(marker: string): Doubt {
  return {
    kind: 'leaked_call',
    reason: `The model wrote a tool call as text (${marker}) instead of calling the tool.`,
    note: `Your last message ended in a tool call that was written as text (${marker}), so nothing was run. To use a tool, call it through the tool interface, with its arguments as one JSON object. If it was meant as text, send the same answer again.`,
    notice: `The answer ends in a tool call as text (${marker}); it was not run. If the model meant to call a tool, the server's tool parser is off or does not fit the model (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja).`,
  };
}
