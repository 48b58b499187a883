import type { Emit, RunOutcome } from '../core/agent-event.ts';
import { recordOfProviderError } from '../core/errors.ts';
import type { Message, TextBlock, ToolResultBlock } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import { addUsage, type ModelFacts, type ModelRequest, NO_USAGE, type Provider, type Usage } from '../core/model.ts';
import type { SessionLog } from '../core/session.ts';
import type { StepRunner } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { Round, ToolRunner } from '../calls/run-tools.ts';
import { askModel } from './ask-model.ts';
import type { Reply } from './assemble.ts';
import { repairHistory } from './repair.ts';
import { askPatiently, type Attempt, type Patience } from './retry.ts';
import type { Transcript } from './transcript.ts';

/** What a run works with. */
export interface LoopContext {
  readonly provider: Provider;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly system: string;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  readonly registry: ToolRegistry;
  readonly runner: ToolRunner;
  readonly steps: StepRunner;
  readonly patience: Patience;
  readonly transcript: Transcript;
  readonly log: SessionLog;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Text that the person sent meanwhile, to go with the next request. */
  takeSteering(): readonly TextBlock[];
}

/** Ask, run the calls, answer them, ask again, until the model has nothing more to call. */
export async function runLoop(context: LoopContext): Promise<{ outcome: RunOutcome; turns: number; usage: Usage }> {
  let usage = NO_USAGE;
  for (let turn = 1; turn <= context.maxTurns; turn++) {
    context.emit({ type: 'turn_start' });
    const { reply, round } = await askForReply(context);
    usage = addUsage(usage, reply.usage);
    if (reply.message.content.length > 0) add(context, reply.message);
    const outcome = outcomeOf(context, reply);
    if (outcome === null) await answerCalls(context, reply, round);
    else round.discard();
    context.emit({ type: 'turn_end', stopReason: reply.stopReason ?? 'end_turn', usage: reply.usage, cost: null });
    if (context.signal.aborted) return { outcome: 'aborted', turns: turn, usage };
    if (outcome !== null) return { outcome, turns: turn, usage };
  }
  return { outcome: 'max_turns', turns: context.maxTurns, usage };
}

function askForReply(context: LoopContext): Promise<Attempt> {
  const { provider, runner, steps, transcript, signal, emit } = context;
  const step = { kind: 'model', id: `message_${transcript.messages.length}` } as const;
  const ask = async (note: string | null): Promise<Attempt> => {
    const request = requestOf(context, note);
    const round = runner.startRound(signal, emit);
    const reply = await steps.runStep(step, () => askModel(provider, request, { emit, round, usedIds: transcript.usedIds }));
    return { reply, round };
  };
  return askPatiently(ask, context);
}

/** `note` goes with this request and is not part of the session. */
function requestOf(context: LoopContext, note: string | null): ModelRequest {
  const { messages } = context.transcript;
  return {
    model: context.model,
    system: context.system,
    messages: repairHistory(note === null ? messages : [...messages, { role: 'user', content: [{ type: 'text', text: note }] }]),
    tools: context.registry.specs(),
    maxOutputTokens: context.maxOutputTokens,
    signal: context.signal,
    onRetryWait: (wait) => context.emit({ type: 'retry_wait', ...wait }),
  };
}

/** How the run ends with this reply, or null where it goes on. */
function outcomeOf(context: LoopContext, { error, stopReason, message }: Reply): RunOutcome | null {
  if (context.signal.aborted) return 'aborted';
  if (error !== null) {
    context.emit({ type: 'error', error: recordOfProviderError(error) });
    return 'failed';
  }
  if (stopReason === 'refusal') return 'refused';
  if (stopReason === 'pause_turn' || toolUsesOf(message).length > 0) return null;
  if (stopReason !== 'max_tokens' && stopReason !== 'context_overflow') {
    if (message.content.length > 0) return 'done';
    context.emit({ type: 'error', error: EMPTY_ANSWER });
    return 'failed';
  }
  context.emit({ type: 'error', error: cutShort(stopReason) });
  return 'failed';
}

/** Every call gets one answer, in one user message, in call order. A paused turn has nothing to answer. */
async function answerCalls(context: LoopContext, reply: Reply, round: Round): Promise<void> {
  const calls = toolUsesOf(reply.message);
  if (calls.length === 0) return;
  const mayRun = reply.message.state === 'complete' && reply.stopReason === 'tool_use';
  // Nothing with an effect starts before the session holds the call.
  await context.log.flush();
  if (mayRun) round.commit();
  else round.discard();
  const results = mayRun ? await round.results() : calls.map(({ id }) => cutResult(id, reply));
  add(context, { role: 'user', content: [...results, ...context.takeSteering()] });
}

function cutResult(toolUseId: string, { stopReason }: Reply): ToolResultBlock {
  const text =
    stopReason === 'max_tokens'
      ? 'Your message was cut at the output limit, so none of its calls were run. Send the call again, in smaller pieces if it is long.'
      : `Your message ended with ${stopReason} and not with its calls, so none of them were run. Send the call again if you want it.`;
  return { type: 'tool_result', toolUseId, content: [{ type: 'text', text }], isError: true };
}

const EMPTY_ANSWER = {
  code: 'model_stream_broken',
  message: 'The model answered with nothing.',
  remedy: 'Ask again, with --continue.',
} as const;

function cutShort(stopReason: 'max_tokens' | 'context_overflow') {
  if (stopReason === 'max_tokens') {
    return {
      code: 'model_stream_broken',
      message: 'The answer was cut at the output limit.',
      remedy: 'Ask it to go on, with --continue.',
    } as const;
  }
  return {
    code: 'model_context_full',
    message: 'The conversation no longer fits the model.',
    remedy: 'Start a new session, or ask for a smaller step.',
  } as const;
}

function add({ transcript, emit }: LoopContext, message: Message): void {
  transcript.add(message);
  emit({ type: 'message_added', message });
}
