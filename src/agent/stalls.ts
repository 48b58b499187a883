import type { Emit, RunOutcome } from '../core/agent-event.ts';
import type { ErrorRecord } from '../core/errors.ts';
import type { StopReason } from '../core/model.ts';

/** After so many turns in a row that stopped for the same reason a run ends: nothing says that the next one would do better. */
const STALLS: Partial<Record<StopReason, { readonly maxInARow: number; readonly error: ErrorRecord }>> = {
  max_tokens: {
    maxInARow: 3,
    error: {
      code: 'model_stream_broken',
      message: 'Three answers in a row were cut at the output limit in the middle of their calls, so none of these was run.',
      remedy: 'Ask for smaller steps, with --continue, or choose a model with a larger output limit.',
    },
  },
  pause_turn: {
    maxInARow: 20,
    error: {
      code: 'model_stream_broken',
      message: 'The model paused its turn 20 times in a row and never finished it.',
      remedy: 'Ask it to go on, with --continue.',
    },
  },
};

/** Counts the turns of a run that went on without getting anywhere. */
export class Stalls {
  #stopReason: StopReason | null = null;
  #inARow = 0;
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** How the run ends after a turn that would go on, or null. A failure is told of. */
  outcomeAfter(stopReason: StopReason | null): RunOutcome | null {
    this.#inARow = stopReason === this.#stopReason ? this.#inARow + 1 : 1;
    this.#stopReason = stopReason;
    const stall = stopReason === null ? undefined : STALLS[stopReason];
    if (stall === undefined || this.#inARow < stall.maxInARow) return null;
    this.#emit({ type: 'error', error: stall.error });
    return 'failed';
  }
}
