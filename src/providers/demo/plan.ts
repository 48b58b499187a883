import type { Call } from './toolbox.ts';

/** One message of the model that makes calls: a short word before them, then the calls, which may run side by side. */
export interface Round {
  readonly say: string;
  readonly calls: readonly Call[];
}

/** What a call came to. */
export interface Answer {
  readonly call: Call;
  readonly text: string;
  readonly isError: boolean;
}

/**
 * The way from a question to its answer: yields rounds, is handed their answers in call order, returns the final text.
 * A plan is replayed from its start for every request, so it decides by nothing but the answers it is handed.
 */
export type Plan<R = string> = Generator<Round, R, readonly Answer[]>;

/** Thrown by a step of a plan that cannot go on. `message` is the final text. */
export class PlanStop extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlanStop';
  }
}
