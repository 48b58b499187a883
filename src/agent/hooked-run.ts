import { addSpend } from '../core/accounting.ts';
import type { Emit } from '../core/agent-event.ts';
import { AgentError } from '../core/errors.ts';
import type { ImageBlock, TextBlock } from '../core/message.ts';
import { textOf } from '../core/message.ts';
import type { HookRun, Lifecycle } from '../core/ports.ts';
import { type RunEnd, runLoop } from './loop.ts';
import type { RunContext } from './run-context.ts';

type PromptBlocks = readonly (TextBlock | ImageBlock)[];

/** More would be a hook that is never content. */
const MAX_GOING_ON = 3;

/** What hooks of a run work with. */
export function hookRunOf(signal: AbortSignal, emit: Emit): HookRun {
  return { signal, notify: (text) => emit({ type: 'notice', text }) };
}

/**
 * A prompt as the model gets it: with what the user's hooks add. `starts` is set for the first one of a session.
 * Errors: AgentError `hook_refused` where a hook refuses it.
 */
export async function admitPrompt(
  prompt: PromptBlocks,
  lifecycle: Lifecycle,
  { starts, run }: { readonly starts: 'startup' | 'resume' | null; readonly run: HookRun },
): Promise<PromptBlocks> {
  // What a run that broke off left behind does not concern this prompt.
  lifecycle.takeStop();
  const beginning = starts === null ? null : await lifecycle.sessionStarts(starts, run);
  const verdict = await lifecycle.promptGiven(textOf(prompt), run);
  const stop = lifecycle.takeStop();
  if ('refused' in verdict) throw refusal(verdict.refused);
  if (stop !== null) throw refusal(stop);
  const added = [beginning, verdict.context].filter((context) => context !== null);
  return [...prompt, ...added.map((text): TextBlock => ({ type: 'text', text: `<hook_context>\n${text}\n</hook_context>` }))];
}

/** Runs to the end, and on where a hook has a reason to; a hook can do so a few times in a run. */
export async function runWithHooks(context: RunContext): Promise<RunEnd> {
  const end = await runLoop(context);
  return context.lifecycle === undefined ? end : goOnWhileHooksAsk(context, context.lifecycle, end);
}

async function goOnWhileHooksAsk(context: RunContext, lifecycle: Lifecycle, firstEnd: RunEnd): Promise<RunEnd> {
  const { signal, emit, transcript, maxTurns } = context;
  let end = firstEnd;
  for (let times = 0; end.outcome === 'done'; times++) {
    const reason = await lifecycle.runEnds(times > 0, hookRunOf(signal, emit));
    if (reason === null || signal.aborted) return end;
    if (times === MAX_GOING_ON) {
      emit({ type: 'notice', text: `A hook still wants the agent to go on, and is not heard any more: ${reason}` });
      return end;
    }
    if (end.turns >= maxTurns) return { ...end, outcome: 'max_turns' };
    const message = { role: 'user', content: [{ type: 'text', text: `A hook says that this is not done: ${reason}` }] } as const;
    transcript.add(message);
    emit({ type: 'message_added', message });
    const more = await runLoop({ ...context, maxTurns: maxTurns - end.turns });
    end = { ...more, ...addSpend(end, more), turns: end.turns + more.turns };
  }
  return end;
}

function refusal(reason: string): AgentError {
  return new AgentError({
    code: 'hook_refused',
    message: `A hook refused the prompt: ${reason}`,
    remedy: 'Write it otherwise, or change the hook in your settings.',
  });
}
