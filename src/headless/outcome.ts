import { addSpend, NO_SPEND } from '../core/accounting.ts';
import { type AgentEvent, isOfSubAgent, type RunOutcome } from '../core/agent-event.ts';
import type { ErrorCode, ErrorRecord } from '../core/errors.ts';
import type { AssistantMessage } from '../core/message.ts';
import { textOf } from '../core/message.ts';
import type { Usage } from '../core/model.ts';

/** What a headless run comes to. */
export interface RunSummary {
  readonly text: string;
  readonly outcome: RunOutcome;
  readonly turns: number;
  /** As the provider reported it; nothing in it is estimated. */
  readonly usage: Usage;
  /** US dollars by the list price; null where that or the usage of a response is not known. */
  readonly cost: number | null;
  readonly errors: readonly ErrorRecord[];
  readonly denials: readonly { readonly toolUseId: string; readonly name: string; readonly because: string }[];
}

/** Gathers a summary from the events of a run. */
export class SummaryCollector {
  #last: AssistantMessage | null = null;
  #spend = NO_SPEND;
  #end: { outcome: RunOutcome; turns: number } = { outcome: 'failed', turns: 0 };
  readonly #errors: ErrorRecord[] = [];
  readonly #denials: { toolUseId: string; name: string; because: string }[] = [];

  /** What sub-agents cost counts, and what was denied to them; what they say, and how they fail, is for their parent. */
  accept(event: AgentEvent): void {
    if (event.type === 'turn_end') this.#spend = addSpend(this.#spend, event);
    if (!isOfSubAgent(event)) this.#acceptMain(event);
    if (event.type === 'permission_decided' && event.decision === 'deny') {
      this.#denials.push({ toolUseId: event.toolUseId, name: event.name, because: event.because });
    }
  }

  #acceptMain(event: AgentEvent): void {
    if (event.type === 'message_added' && event.message.role === 'assistant') this.#last = event.message;
    if (event.type === 'error') this.#errors.push(event.error);
    if (event.type === 'run_end') this.#end = { outcome: event.outcome, turns: event.turns };
  }

  summary(): RunSummary {
    const text = this.#last === null ? '' : textOf(this.#last.content);
    return { text, ...this.#end, ...this.#spend, errors: this.#errors, denials: this.#denials };
  }
}

const EXIT_BY_ERROR: Partial<Record<ErrorCode, number>> = {
  misuse: 2,
  config_unreadable: 2,
  folder_missing: 2,
  session_missing: 2,
  session_ambiguous: 2,
  session_taken: 2,
  session_unreadable: 2,
  cassette_unusable: 2,
  replay_impossible: 2,
  no_model: 3,
  model_key_rejected: 3,
  hook_refused: 4,
  model_overloaded: 7,
  model_unreachable: 7,
  model_stream_broken: 7,
};

/** The exit code of an error that ended a command. */
export function exitCodeOfError(code: ErrorCode): number {
  return EXIT_BY_ERROR[code] ?? 1;
}

/** 0 done, 1 failed, 3 no key, 4 a denied permission, 5 a limit, 7 provider unreachable. */
export function exitCodeOf({ outcome, errors, denials }: RunSummary): number {
  if (outcome === 'max_turns' || outcome === 'budget') return 5;
  if (outcome === 'done') return denials.length > 0 ? 4 : 0;
  const fatal = fatalError(errors);
  return fatal === null ? 1 : exitCodeOfError(fatal.code);
}

/** What ended a run that failed. A bug in a tool ends none. */
export function fatalError(errors: readonly ErrorRecord[]): ErrorRecord | null {
  return errors.findLast(({ code }) => code !== 'tool_bug') ?? null;
}
