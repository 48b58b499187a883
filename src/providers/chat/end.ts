import type { ModelEvent } from '../../core/model.ts';
import { announceCall, toolUseOf } from './calls.ts';
import { type ChatReplay, tokenOf } from './replay.ts';
import { type CallDraft, callsOf, type ChatState, type TextDraft } from './state.ts';
import { malformedCall, stopOf } from './stop.ts';
import { usageOf } from './usage.ts';
import { failMessage } from '../wire-reader.ts';

/** Ends the message: only now are its calls whole, and what it kept for its server has its place. */
export function endMessage(state: ChatState): ModelEvent[] {
  const calls = callsOf(state);
  const stopReason = stopOf(state.rawStop, { hasCalls: calls.some(isNamed), isRefusal: state.isRefusal });
  const usage = usageOf(state);
  if (typeof stopReason !== 'string') return failMessage(state, stopReason, usage);
  const isWhole = stopReason === 'tool_use';
  if (isWhole && calls.some(isNameless)) return failMessage(state, malformedCall('The model sent a call without a name.'), usage);
  // What was cut may look whole: some servers put `{}` there. Source: vllm-project/vllm#46303
  const cutCall = isWhole ? undefined : calls.at(-1);
  const isCut = stopReason === 'max_tokens' || stopReason === 'context_overflow';
  state.isOver = true;
  return [
    ...state.drafts.flatMap((draft) => endDraft(state, draft, draft === cutCall)),
    ...keptAlone(state),
    { type: 'message_end', state: isCut ? 'cut' : 'complete', stopReason, rawStop: state.rawStop ?? '', usage },
  ];
}

function isNamed(call: CallDraft): boolean {
  return call.names.length > 0;
}

/** It has something, but no name. What has nothing at all is no call. */
function isNameless(call: CallDraft): boolean {
  return !isNamed(call) && (call.wireId !== null || String(call.json).trim() !== '');
}

function endDraft(state: ChatState, draft: TextDraft | CallDraft, isCut: boolean): ModelEvent[] {
  const data = replayOf(state, draft);
  const replay = Object.keys(data).length === 0 ? {} : { replay: tokenOf(state, data) };
  const end: ModelEvent = { type: 'block_end', index: draft.index, ...replay };
  if (draft.kind !== 'call') return [end];
  if (!isNamed(draft)) return [];
  return isCut ? announceCall(draft) : [...announceCall(draft), toolUseOf(state, draft), end];
}

function replayOf(state: ChatState, draft: TextDraft | CallDraft): ChatReplay {
  return {
    ...(draft.kind === 'thinking' && draft.field !== 'reasoning_details' ? { field: draft.field } : {}),
    ...(draft.kind === 'call' && draft.extra !== null ? { call: { extra_content: draft.extra } } : {}),
    ...(hasKept(state) && draft === keeperOf(state) ? { message: state.kept } : {}),
  };
}

function hasKept({ kept }: ChatState): boolean {
  return Object.keys(kept).length > 0;
}

/** The block whose token holds what the message kept as a whole: the last reasoning, else the first call, else the first text. */
function keeperOf(state: ChatState): TextDraft | CallDraft | undefined {
  return (
    state.drafts.findLast((draft) => draft.kind === 'thinking') ??
    callsOf(state).find(isNamed) ??
    state.drafts.find((draft) => draft.kind === 'text')
  );
}

/** What was kept is content, also where nothing else came. */
function keptAlone(state: ChatState): ModelEvent[] {
  if (!hasKept(state) || keeperOf(state) !== undefined) return [];
  return [{ type: 'opaque_block', index: state.drafts.length, replay: tokenOf(state, { message: state.kept }) }];
}
