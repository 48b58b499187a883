import type { Emit } from '../core/agent-event.ts';
import { pause } from '../core/pause.ts';
import type { Round } from '../calls/run-tools.ts';
import type { Reply } from './assemble.ts';
import type { Doubt } from './doubt.ts';

/** How often a response that broke in the middle is asked for again, and how long to wait first. */
export interface Patience {
  readonly tries: number;
  readonly baseDelayMs: number;
}

/** A response, what is doubtful about it, and the calls in it that wait to run or ran early. */
export interface Attempt {
  readonly reply: Reply;
  readonly doubt: Doubt | null;
  readonly round: Round;
}

interface AskOptions {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

export const DEFAULT_PATIENCE: Patience = { tries: 3, baseDelayMs: 1000 };

const CALL_AGAIN =
  'Your last message did not arrive as a tool call: it was malformed. To use a tool, call it through the tool interface, with its arguments as one JSON object.';

/**
 * Asks until a message is whole, and once more for each kind of doubt about it. What broke after its first content, or is doubtful, is
 * dropped and asked for again as a whole; front ends are told to replace what they showed. Before the first content the HTTP layer has its
 * own patience.
 */
export async function askPatiently(ask: (note: string | null) => Promise<Attempt>, options: AskOptions): Promise<Attempt> {
  const { patience, signal, emit } = options;
  const doubted = new Set<Doubt['kind']>();
  let note: string | null = null;
  for (let tries = 1; ; ) {
    const attempt = await ask(note);
    const { reply, round, doubt } = attempt;
    if (doubt !== null && !doubted.has(doubt.kind) && !signal.aborted) {
      doubted.add(doubt.kind);
      round.discard();
      emit({ type: 'message_replaced', reason: doubt.reason });
      note = doubt.note;
      continue;
    }
    if (doubt !== null && doubt.notice !== null) emit({ type: 'notice', text: doubt.notice });
    if (reply.error === null || !reply.isRetryable || tries >= patience.tries || signal.aborted) return attempt;
    round.discard();
    const delayMs = patience.baseDelayMs * 2 ** (tries - 1);
    emit({ type: 'message_replaced', reason: reply.error.message });
    emit({ type: 'retry_wait', untilMs: Date.now() + delayMs, cause: reply.error.message });
    note = reply.error.kind === 'malformed_call' ? CALL_AGAIN : null;
    await pause(delayMs, signal);
    tries++;
  }
}
