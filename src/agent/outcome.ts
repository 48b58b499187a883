import type { Emit, RunOutcome } from '../core/agent-event.ts';
import { type ErrorRecord, recordOfProviderError } from '../core/errors.ts';
import { toolUsesOf } from '../core/message.ts';
import type { Reply } from './assemble.ts';

interface Run {
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

const EMPTY_ANSWER: ErrorRecord = {
  code: 'model_stream_broken',
  message: 'The model answered with nothing.',
  remedy: 'Ask again, with --continue.',
};

const CUT_ANSWER: ErrorRecord = {
  code: 'model_stream_broken',
  message: 'The answer was cut at the output limit.',
  remedy: 'Ask it to go on, with --continue.',
};

const CONTEXT_FULL: ErrorRecord = {
  code: 'model_context_full',
  message: 'The conversation no longer fits the model.',
  remedy: 'Start a new session, or ask for a smaller step.',
};

/** How the run ends with this reply, or null where it goes on. A failure is told of. */
export function outcomeOf(run: Run, reply: Reply): RunOutcome | null {
  const { error, stopReason, message } = reply;
  if (run.signal.aborted) return 'aborted';
  if (error !== null) return failWith(run, recordOfProviderError(error));
  if (stopReason === 'refusal') return 'refused';
  // Compaction was tried before: its calls would only be asked for again, in the same context.
  if (stopReason === 'context_overflow') return failWith(run, CONTEXT_FULL);
  if (stopReason === 'pause_turn' || toolUsesOf(message).length > 0) return null;
  if (stopReason === 'max_tokens') return failWith(run, CUT_ANSWER);
  return isEmptyAnswer(reply) ? failWith(run, EMPTY_ANSWER) : 'done';
}

/** True for a turn that is over without a word and without a call; thinking alone tells nobody anything. */
export function isEmptyAnswer({ stopReason, message }: Reply): boolean {
  const isOver = stopReason === 'end_turn' || stopReason === 'stop_sequence' || stopReason === 'tool_use' || stopReason === null;
  return isOver && message.content.every(({ type }) => type !== 'text' && type !== 'tool_use');
}

function failWith({ emit }: Run, error: ErrorRecord): RunOutcome {
  emit({ type: 'error', error });
  return 'failed';
}
