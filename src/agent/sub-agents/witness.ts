import { addSpend, NO_SPEND } from '../../core/accounting.ts';
import type { AgentEventBody, Emit } from '../../core/agent-event.ts';
import type { RunEnd } from '../loop.ts';

/** The call for which a sub-agent works. */
export interface ParentCall {
  readonly toolUseId: string;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** Sees what a sub-agent does, and tells its parent in a line a call. */
export class Witness {
  #calls = 0;
  #turns = 0;
  #spend = NO_SPEND;
  #fault: string | null = null;
  readonly #emit: Emit;
  readonly #parent: ParentCall;

  constructor(emit: Emit, parent: ParentCall) {
    this.#emit = emit;
    this.#parent = parent;
  }

  readonly emit = (event: AgentEventBody): void => {
    this.#note(event);
    this.#emit(event);
  };

  get calls(): number {
    return this.#calls;
  }

  /** What went wrong last. */
  get fault(): string | null {
    return this.#fault;
  }

  /** The end of a run that broke off inside. */
  broken(fault: string): RunEnd {
    this.#fault = fault;
    return { outcome: 'failed', turns: this.#turns, ...this.#spend };
  }

  #note(event: AgentEventBody): void {
    if (event.type === 'turn_start') this.#turns++;
    if (event.type === 'turn_end') this.#spend = addSpend(this.#spend, event);
    if (event.type === 'tool_result') this.#calls++;
    if (event.type === 'tool_start') this.#parent.progress(`${event.name} ${event.subject}\n`);
    // A bug in a tool ends no run.
    if (event.type === 'error' && event.error.code !== 'tool_bug') this.#fault = event.error.message;
  }
}
