import type { AgentEventBody } from '../core/agent-event.ts';
import { textOf } from '../core/message.ts';
import { monotonicMs } from '../core/monotonic-time.ts';
import type { StepRunner } from '../core/ports.ts';
import { changesBetween, type Subject } from './bench.ts';

/** What became of one call. */
export interface Trial {
  readonly input: unknown;
  /** `refused` before it ran, for its input; `barred` by the gate; `broke` where it threw. */
  readonly outcome: 'answered' | 'refused' | 'barred' | 'broke' | 'late';
  /** What the tool returned, before anything bounded it. */
  readonly raw: unknown;
  /** What the model reads, or why the call did not run. */
  readonly words: string;
  readonly durationMs: number;
  /** Paths in the bench that differ afterwards. */
  readonly changed: readonly string[];
}

/** Runs one call on the bench, and stops it at its deadline. */
export async function tryCall(subject: Subject, input: unknown): Promise<Trial> {
  const { bench, limits } = subject;
  const before = await bench.look();
  const { round, record } = startCalls(subject, [input], AbortSignal.timeout(limits.deadlineMs));
  const [result] = await round.results();
  const words = record.barredBy ?? textOf(result?.content ?? []);
  const changed = changesBetween(before, await bench.look());
  return {
    input,
    raw: record.raws[0],
    words,
    durationMs: record.durationMs(),
    changed,
    outcome: outcomeOf(record, limits.deadlineMs),
  };
}

/** What was seen of calls that run. */
export class CallRecord implements StepRunner {
  readonly raws: unknown[] = [];
  readonly started = Promise.withResolvers<void>();
  #bug: string | null = null;
  #barredBy: string | null = null;
  #hasStarted = false;
  #startedAt = 0;
  #endedAt: number | null = null;

  readonly emit = (event: AgentEventBody): void => {
    if (event.type === 'error') this.#bug ??= event.error.message;
    if (event.type === 'permission_decided' && event.decision === 'deny') this.#barredBy = event.because;
    if (event.type !== 'tool_start') return;
    this.#hasStarted = true;
    this.#startedAt = monotonicMs();
    this.started.resolve();
  };

  async runStep<T>(_step: unknown, run: () => Promise<T>): Promise<T> {
    try {
      const raw = await run();
      this.raws.push(raw);
      return raw;
    } finally {
      this.#endedAt = monotonicMs();
    }
  }

  get bug(): string | null {
    return this.#bug;
  }

  /** Why the gate did not let it run. */
  get barredBy(): string | null {
    return this.#barredBy;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get endedAt(): number | null {
    return this.#endedAt;
  }

  durationMs(): number {
    return Math.max(0, (this.#endedAt ?? monotonicMs()) - this.#startedAt);
  }
}

/** Starts calls of one message. */
export function startCalls(subject: Subject, inputs: readonly unknown[], signal: AbortSignal) {
  const record = new CallRecord();
  const round = subject.bench.runner(subject.tool, record).startRound(signal, record.emit);
  for (const [i, input] of inputs.entries())
    round.add(
      { type: 'tool_use', id: `call_${i + 1}`, wireId: null, name: subject.tool.name, input: structuredClone(input) },
      false,
    );
  round.commit();
  return { round, record };
}

function outcomeOf(record: CallRecord, deadlineMs: number): Trial['outcome'] {
  // What was returned and is no result is looked at as an answer.
  if (record.bug !== null && record.raws.length === 0) return 'broke';
  if (!record.hasStarted) return record.barredBy !== null ? 'barred' : 'refused';
  return record.durationMs() >= deadlineMs ? 'late' : 'answered';
}
