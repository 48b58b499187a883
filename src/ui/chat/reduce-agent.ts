import { type AgentEvent, isForPerson, isOfSubAgent } from '../../core/agent-event.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { toolUsesOf, textOf } from '../../core/message.ts';
import { addUsage, type ModelEvent, type Usage } from '../../core/model.ts';
import type { WordKey } from '../words/say.ts';
import type { FinishedCall } from './blocks.ts';
import { openDialog } from './dialog.ts';
import { isShownWhole } from './question-size.ts';
import { type ChatState, type Run, startRun, withBlock } from './state.ts';

const MAX_TAIL_CHARS = 4000;
const MAX_KEPT_CALLS = 50;

export interface AgentFacts {
  readonly nowMs: number;
  /** What a call that has just ended changed, as a unified diff. */
  readonly patch: string | null;
  /** The present text of the file that a call asks to write over; null where that is not known. */
  readonly before: string | null;
}

/** The state after something happened in a run. */
export function reduceAgentEvent(state: ChatState, event: AgentEvent, facts: AgentFacts): ChatState {
  return isOfSubAgent(event) ? reduceSubAgentEvent(state, event, facts) : reduceMainEvent(state, event, facts);
}

/** A sub-agent is shown as one row, that of the call which started it. What it asks, and what it costs, is like anybody's. */
function reduceSubAgentEvent(state: ChatState, event: AgentEvent, facts: AgentFacts): ChatState {
  const run = state.run ?? startRun(facts.nowMs);
  switch (event.type) {
    case 'message_added':
      return { ...state, run: { ...run, inputs: inputsWith(run, event) } };
    case 'permission_request':
      return ask({ ...state, run }, event, facts);
    case 'permission_decided':
      return decided({ ...state, run }, event);
    case 'tool_result':
      return state.dialog?.request.toolUseId === event.toolUseId ? { ...state, dialog: null } : state;
    case 'turn_end':
      return withSpend(state, run, event);
    default:
      return isForPerson(event) ? tell(state, event) : state;
  }
}

function reduceMainEvent(state: ChatState, event: AgentEvent, facts: AgentFacts): ChatState {
  const run = state.run ?? startRun(facts.nowMs);
  const inRun = (change: Partial<Run>): ChatState => ({ ...state, run: { ...run, ...change } });
  switch (event.type) {
    case 'model':
      return reduceModelEvent({ ...state, run }, run, event.event);
    case 'message_added': {
      if (event.message.role === 'user') return state;
      const text = textOf(event.message.content);
      return { ...inRun({ inputs: inputsWith(run, event) }), answer: text === '' ? state.answer : text };
    }
    case 'retry_wait':
      return inRun({ retry: { untilMs: event.untilMs, cause: event.cause } });
    case 'permission_request':
      return ask(inRun({ retry: null }), event, facts);
    case 'permission_decided':
      return decided(inRun({}), event);
    case 'tool_start': {
      const { toolUseId: id, name, subject } = event;
      const call = { id, name, subject, startedMs: facts.nowMs, tail: '' };
      return inRun({ doing: 'calling', calls: [...run.calls, call] });
    }
    case 'tool_progress':
      return inRun({
        calls: run.calls.map((call) =>
          call.id === event.toolUseId ? { ...call, tail: (call.tail + event.text).slice(-MAX_TAIL_CHARS) } : call,
        ),
      });
    case 'tool_result':
      return finish({ ...state, run }, event, facts);
    case 'todos':
      return { ...state, todos: event.list };
    case 'turn_end':
      return withSpend(state, run, event);
    case 'run_end':
      return end(state, event.outcome);
    default:
      return tell(state, event);
  }
}

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

function inputsWith({ inputs }: Run, { message }: EventOf<'message_added'>): Run['inputs'] {
  if (message.role === 'user') return inputs;
  return new Map([...inputs, ...toolUsesOf(message).map(({ id, input }) => [id, input] as const)]);
}

function withSpend(state: ChatState, run: Run, { usage, cost }: EventOf<'turn_end'>): ChatState {
  return {
    ...state,
    run: { ...run, usage: addUsage(run.usage, usage) },
    usage: addUsage(state.usage, usage),
    cost: state.cost === null || cost === null ? null : state.cost + cost,
  };
}

function reduceModelEvent(state: ChatState, run: Run, event: ModelEvent): ChatState {
  const doing = (what: Run['doing']): ChatState => {
    const next = run.doing === 'stopping' ? run.doing : what;
    return run.doing === next && run.retry === null ? state : { ...state, run: { ...run, doing: next, retry: null } };
  };
  switch (event.type) {
    case 'message_start':
      return doing('waiting');
    case 'thinking_delta':
      return doing('thinking');
    case 'text_delta':
      return doing('answering');
    case 'tool_use_start':
      return doing('calling');
    case 'message_end':
      return { ...state, contextUsed: sizeOf(event.usage) ?? state.contextUsed };
    case 'tool_unusable':
      return withBlock(state, { type: 'notice', text: state.say('not_offered', { name: event.name, problem: event.problem }) });
    default:
      return state;
  }
}

function sizeOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | null {
  const size = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  return size === 0 ? null : size;
}

function ask(state: ChatState, request: EventOf<'permission_request'>, { nowMs, before }: AgentFacts): ChatState {
  const input = state.run?.inputs.get(request.toolUseId) ?? null;
  return showWhole({ ...state, dialog: openDialog(request, { input, before, nowMs }) });
}

/** What an open dialog has no room for goes to the scrollback, once; also where the window has become too small for it. */
export function showWhole(state: ChatState): ChatState {
  const { dialog } = state;
  if (dialog === null || dialog.isAbove || isShownWhole(dialog.request, state)) return state;
  const { request, input, before } = dialog;
  const shownBefore = new Set([...(state.run?.shownBefore ?? []), request.toolUseId]);
  const asked = state.run === null ? state : { ...state, run: { ...state.run, shownBefore } };
  return { ...withBlock(asked, { type: 'question', request, input, before }), dialog: { ...dialog, isAbove: true } };
}

function decided(state: ChatState, event: EventOf<'permission_decided'>): ChatState {
  const { run, dialog } = state;
  const closed = dialog?.request.toolUseId === event.toolUseId ? { ...state, dialog: null } : state;
  if (run === null) return closed;
  if (event.decision === 'allow') {
    if (event.editedInput === undefined) return closed;
    // What was shown is not what runs.
    return { ...closed, run: { ...run, shownBefore: new Set([...run.shownBefore].filter((id) => id !== event.toolUseId)) } };
  }
  return { ...closed, run: { ...run, refused: new Set([...run.refused, event.toolUseId]) } };
}

function finish(state: ChatState, { toolUseId, name, result, durationMs }: EventOf<'tool_result'>, facts: AgentFacts): ChatState {
  const run = state.run ?? startRun(facts.nowMs);
  const number = state.callCount + 1;
  const live = run.calls.find(({ id }) => id === toolUseId);
  const call: FinishedCall = {
    number,
    name,
    subject: live?.subject ?? subjectOf(run.inputs.get(toolUseId)),
    durationMs,
    isError: result.isError,
    text: textOf(result.content),
    patch: run.shownBefore.has(toolUseId) ? null : facts.patch,
    wasRefused: run.refused.has(toolUseId),
  };
  const closed = state.dialog?.request.toolUseId === toolUseId ? { ...state, dialog: null } : state;
  return {
    ...withBlock(closed, { type: 'call', call }),
    run: {
      ...run,
      doing: run.doing === 'stopping' ? 'stopping' : 'waiting',
      calls: run.calls.filter(({ id }) => id !== toolUseId),
    },
    calls: [...state.calls, call].slice(-MAX_KEPT_CALLS),
    callCount: number,
  };
}

/** A call that never started has no subject; what it was given names it. */
function subjectOf(input: unknown): string {
  if (!isJsonObject(input)) return '';
  return ['command', 'path', 'pattern', 'url'].map((key) => input[key]).find((value) => typeof value === 'string') ?? '';
}

const ENDINGS: Readonly<Record<string, WordKey>> = {
  max_turns: 'end_max_turns',
  budget: 'end_budget',
  refused: 'end_refused',
  aborted: 'end_aborted',
};

function end(state: ChatState, outcome: string): ChatState {
  const told = ENDINGS[outcome];
  const ended = { ...state, run: null, dialog: null, todos: state.todos.every(isOver) ? [] : state.todos };
  return told === undefined ? ended : withBlock(ended, { type: 'notice', text: state.say(told) });
}

function isOver({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'cancelled';
}

function tell(state: ChatState, event: AgentEvent): ChatState {
  switch (event.type) {
    case 'error':
      return withBlock(state, { type: 'error', error: event.error });
    case 'notice':
      return withBlock(state, { type: 'notice', text: event.text });
    case 'message_replaced':
      return withBlock(state, {
        type: 'notice',
        text: state.say('answer_broke_off', { reason: event.reason }),
      });
    case 'compacted':
      return withBlock(state, {
        type: 'notice',
        text: state.say('compacted', { reason: event.reason }),
      });
    case 'model_idle':
      return {
        ...state,
        hint: { text: state.say('model_idle', { seconds: Math.round(event.silentMs / 1000) }), untilMs: Infinity },
      };
    default:
      return state;
  }
}
