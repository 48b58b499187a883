import type { GrowingText } from '../../core/growing-text.ts';
import type { JsonObject, JsonValue } from '../../core/json-value.ts';
import type { ModelEvent } from '../../core/model.ts';
import type { ReaderState } from '../wire-reader.ts';

/** A run of text or of reasoning. `field` is where in the message it stood. */
export interface TextDraft {
  readonly kind: 'text' | 'thinking';
  readonly index: number;
  readonly field: string;
}

/** A call whose fragments still come. Nothing in chat completions says where it ends but the end of the message. */
export interface CallDraft {
  readonly kind: 'call';
  readonly index: number;
  readonly choice: number;
  readonly wireIndex: number | null;
  wireId: string | null;
  /** The name, and what came as further parts or repeats of it. */
  readonly names: string[];
  json: GrowingText;
  isAnnounced: boolean;
  extra: JsonObject | null;
}

/** All that is known of a chat completion so far. `drafts` are in the order in which each was first seen; an index is a place in it. */
export interface ChatState extends ReaderState {
  readonly toolNames: ReadonlySet<string>;
  readonly drafts: (TextDraft | CallDraft)[];
  /** Fields of the message that only the server can read. */
  readonly kept: Record<string, JsonValue>;
  rawUsage: JsonObject;
  timings: JsonObject;
  rawStop: string | null;
  isStarted: boolean;
  isRefusal: boolean;
}

export function newChatState(provider: string, model: string, toolNames: Iterable<string>): ChatState {
  return {
    provider,
    model,
    toolNames: new Set(toolNames),
    drafts: [],
    kept: {},
    rawUsage: {},
    timings: {},
    rawStop: null,
    isStarted: false,
    isRefusal: false,
    isOver: false,
  };
}

export function callsOf(state: ChatState): CallDraft[] {
  return state.drafts.filter((draft) => draft.kind === 'call');
}

/** Adds to the run that is open; a change of kind or field opens a new one. */
export function addText(state: ChatState, kind: TextDraft['kind'], field: string, piece: unknown): ModelEvent[] {
  if (typeof piece !== 'string' || piece === '') return [];
  const last = state.drafts.at(-1);
  const isOpen = last?.kind === kind && last.field === field;
  const index = isOpen ? last.index : state.drafts.length;
  if (!isOpen) state.drafts.push({ kind, index, field });
  return [{ type: kind === 'text' ? 'text_delta' : 'thinking_delta', index, text: piece }];
}
