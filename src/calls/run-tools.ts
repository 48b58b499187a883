import type { Emit } from '../core/agent-event.ts';
import { isDelegated, type ResolvedFootprint } from '../core/footprint.ts';
import type { ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import { monotonicMs } from '../core/monotonic-time.ts';
import type { Grant, Judgement } from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { EffectJournal, Hook, StepRunner } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';
import { executeCall } from './execute-call.ts';
import { withEditedNote } from './edited-note.ts';
import { type Asker, permit, type Permit } from './permit-call.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { type Access, Schedule, type Slot } from './schedule.ts';

/** What a runner works with. */
export interface ToolRunnerOptions {
  readonly registry: ToolRegistry;
  readonly policy: PermissionPolicy;
  readonly cwd: string;
  readonly hooks: readonly Hook[];
  readonly journal: EffectJournal;
  readonly steps: StepRunner;
  /** The order of calls, where several runners share one. Not given: each message has its own. */
  readonly schedule?: Schedule;
  /** Asks a person; null where nobody can be asked. */
  readonly ask: Asker | null;
  /** The surroundings of one call: what it may open is what was judged. */
  contextFor(call: ToolUseBlock, grant: Grant, signal: AbortSignal, emit: Emit): ToolContext;
  /** True for built-in tools, whose listed footprints let them run beside others. */
  trustsFootprint(tool: Tool): boolean;
}

/** The calls of one message. */
export interface Round {
  /** Calls are added in call order. With `mayStartEarly` a read-only call that needs no question starts before `commit`. */
  add(call: ToolUseBlock, mayStartEarly: boolean): void;
  /** The message is complete: all calls may run. */
  commit(): void;
  /** The message failed or must not run: what had started is stopped, and nothing else starts. */
  discard(): void;
  /** One result a call, in call order, whatever happened. */
  results(): Promise<readonly ToolResultBlock[]>;
}

/** The only place from which a tool is executed. */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;

  constructor(options: ToolRunnerOptions) {
    this.#options = options;
  }

  startRound(signal: AbortSignal, emit: Emit): Round {
    const discarded = new AbortController();
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    const run: RoundRun = {
      options: this.#options,
      // What a discarded round still does concerns nobody.
      emit: (event) => {
        if (!discarded.signal.aborted) emit(event);
      },
      schedule: this.#options.schedule ?? new Schedule(),
      committed,
      signal: AbortSignal.any([signal, discarded.signal]),
    };
    const results: Promise<ToolResultBlock>[] = [];
    let entered: Promise<unknown> = Promise.resolve();
    return {
      add: (call, mayStartEarly) => {
        const before = entered;
        const entry = before.then(() => enter(run, call));
        entered = entry;
        results.push(entry.then((ready) => finishCall(run, call, ready, mayStartEarly)));
      },
      commit,
      discard: () => {
        discarded.abort();
        commit();
      },
      results: () => Promise.all(results),
    };
  }
}

interface RoundRun {
  readonly options: ToolRunnerOptions;
  readonly emit: Emit;
  readonly schedule: Schedule;
  readonly committed: Promise<void>;
  readonly signal: AbortSignal;
}

interface Placed {
  readonly prepared: PreparedCall;
  readonly slot: Slot;
  readonly footprint: ResolvedFootprint;
}

/** A call with its place in the order, or the answer that it has already. */
type Entered = Placed | { readonly refusal: ToolResult };

async function enter(run: RoundRun, call: ToolUseBlock): Promise<Entered> {
  try {
    const prepared = await prepareCall(run.options.registry, call, run.options.cwd);
    if ('refusal' in prepared) return prepared;
    const access = await accessOf(run, prepared);
    return { prepared, slot: run.schedule.enter(access), footprint: access.footprint };
  } catch (thrown) {
    return { refusal: bugResult(run, call, thrown) };
  }
}

async function accessOf({ options }: RoundRun, { tool, input }: PreparedCall): Promise<Access> {
  const footprint = await options.policy.resolve(tool, input);
  return { footprint, isAlone: !tool.isConcurrencySafe(input) && !options.trustsFootprint(tool) };
}

async function finishCall(
  run: RoundRun,
  asked: ToolUseBlock,
  entered: Entered,
  mayStartEarly: boolean,
): Promise<ToolResultBlock> {
  const calledAs = 'refusal' in entered ? undefined : entered.prepared.calledAs;
  const call = calledAs === undefined ? asked : { ...asked, name: calledAs };
  const { result, durationMs } =
    'refusal' in entered ? notTimed(entered.refusal) : await inTurn(run, call, entered, mayStartEarly);
  // A call may run before its message is whole; its answer never comes before it.
  await run.committed;
  run.emit({ type: 'tool_result', toolUseId: call.id, name: call.name, result, durationMs });
  // Metadata stays here: a block has room for what a model may see and for nothing else.
  return { type: 'tool_result', toolUseId: call.id, content: result.content, isError: result.isError };
}

/** The time is the tool's own, without waiting for its turn or for a person. */
interface TimedResult {
  readonly result: ToolResult;
  readonly durationMs: number;
}

function notTimed(result: ToolResult): TimedResult {
  return { result, durationMs: 0 };
}

async function inTurn(
  run: RoundRun,
  call: ToolUseBlock,
  { prepared, slot, footprint }: Placed,
  mayStartEarly: boolean,
): Promise<TimedResult> {
  try {
    const hasWaited = await slot.turn();
    // What ran before may have turned a link: then the paths are resolved again.
    const judgement = await run.options.policy.judge(prepared.tool, prepared.input, hasWaited ? undefined : footprint, call.id);
    const permitted = await carryOut(run, call, { prepared, judgement, mayStartEarly });
    if ('refusal' in permitted) return notTimed(permitted.refusal);
    if (permitted.call !== prepared) {
      slot.change(await accessOf(run, permitted.call));
      await slot.turn();
    }
    if (run.signal.aborted) return notTimed(notRun());
    // The calls that are made for it take places of their own, behind none of its.
    if (isDelegated(permitted.grant.footprint)) slot.finish();
    const startedAt = monotonicMs();
    const result = await executeCall({ ...run.options, signal: run.signal, emit: run.emit }, call, permitted);
    const told = permitted.call === prepared ? result : withEditedNote(result, permitted.call.input);
    return { result: told, durationMs: Math.round(monotonicMs() - startedAt) };
  } catch (thrown) {
    return notTimed(bugResult(run, call, thrown));
  } finally {
    slot.finish();
  }
}

/** Waits for the message to be complete, unless the call only reads and needs no question, and asks what is to be asked. */
async function carryOut(
  run: RoundRun,
  call: ToolUseBlock,
  { prepared, judgement, mayStartEarly }: { prepared: PreparedCall; judgement: Judgement; mayStartEarly: boolean },
): Promise<Permit> {
  const isEarly = mayStartEarly && onlyReads(judgement) && judgement.decision === 'allow';
  if (!isEarly) await run.committed;
  if (run.signal.aborted) return { refusal: notRun() };
  return permit({ ...run.options, signal: run.signal, emit: run.emit }, call, prepared, judgement);
}

/** Also true of a command that was seen to read and nothing else. */
function onlyReads({ grant: { footprint } }: Judgement): boolean {
  return footprint.extent === 'everything' ? !footprint.writes : footprint.writes.length === 0;
}

function notRun(): ToolResult {
  return fail('Interrupted by the person before it ran; nothing was done.');
}

/** A bug is information for the model and an error for the person. */
function bugResult({ emit }: RoundRun, call: ToolUseBlock, thrown: unknown): ToolResult {
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  emit({
    type: 'error',
    error: {
      code: 'tool_bug',
      message: `${call.name} failed inside: ${what}`,
      remedy: 'This is a bug in the tool; the session goes on. Please report it.',
    },
  });
  return fail(`${call.name} failed inside, which is a bug of the tool and not of your call: ${what}. Try another way.`);
}
