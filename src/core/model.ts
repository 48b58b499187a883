import type { ProviderError } from './errors.ts';
import type { Message, ReplayToken } from './message.ts';
import type { ToolSpec } from './tool.ts';

/** Why a model stopped, in one vocabulary for all providers. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'pause_turn' | 'refusal' | 'context_overflow';

/** Tokens of one response. `inputTokens` leaves out what was read from or written to a cache; `outputTokens` has reasoning in it. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number | null;
}

/** What a response cost that told nothing of it. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: null,
};

/** Sums two responses of one run. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens:
      a.reasoningTokens === null && b.reasoningTokens === null ? null : (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0),
  };
}

/**
 * What every wire format is read into. `index` names a block of the message.
 * `tool_use` comes once, at its block's end, with the fragments joined and parsed; `tool_input_delta` is for display only.
 * The last event is always exactly one `message_end` or `message_failed`.
 */
export type ModelEvent =
  | { readonly type: 'message_start'; readonly model: string }
  /** A tool that this model cannot be offered, before anything else. */
  | { readonly type: 'tool_unusable'; readonly name: string; readonly problem: string }
  | { readonly type: 'text_delta' | 'thinking_delta'; readonly index: number; readonly text: string }
  | { readonly type: 'tool_use_start'; readonly index: number; readonly wireId: string | null; readonly name: string }
  | { readonly type: 'tool_input_delta'; readonly index: number; readonly json: string }
  | {
      readonly type: 'tool_use';
      readonly index: number;
      readonly name: string;
      readonly input: unknown;
      readonly malformedInput?: string;
    }
  | { readonly type: 'block_end'; readonly index: number; readonly replay?: ReplayToken }
  | { readonly type: 'opaque_block'; readonly index: number; readonly replay: ReplayToken }
  | {
      readonly type: 'message_end';
      readonly state: 'complete' | 'cut';
      readonly stopReason: StopReason;
      readonly rawStop: string;
      readonly usage: Usage;
    }
  | { readonly type: 'message_failed'; readonly error: ProviderError; readonly retryable: boolean; readonly usage?: Usage };

/** US dollars per million tokens, as the vendor's page said on that date; nobody has checked them against a bill. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** What is known of a model; null where it is not. */
export interface ModelFacts {
  /** Tokens of input and output together. */
  readonly contextTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly price: ModelPrice | null;
}

export const UNKNOWN_MODEL: ModelFacts = { contextTokens: null, maxOutputTokens: null, price: null };

/** A wait before the same request is sent again. `untilMs` is a time as of `Date.now()`. */
export interface RetryWait {
  readonly untilMs: number;
  readonly cause: string;
}

/** A post on its way to a server. */
export interface CarriedPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a server answered, before anything of it was read. Header names are in lower case. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Carries the posts of one request in place of the network, or beside it: `live` sends one over the network. */
export interface Carrier {
  /** False where nothing is there that would do better after a wait. */
  readonly waits: boolean;
  /** Errors: what the network threw. */
  carry(post: CarriedPost, live: () => Promise<CarriedAnswer>): Promise<CarriedAnswer>;
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  /** In order of registration, so that prompt caches hold. */
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly onRetryWait?: (wait: RetryWait) => void;
  /** Not given: posts go over the network. */
  readonly carrier?: Carrier;
}

/** A model behind one wire format. `stream` never throws for what the provider or the network did: it ends with `message_failed`. */
export interface Provider {
  readonly id: string;
  /** The wire marks where a call is whole, so that a read-only one may start before the message ends. */
  readonly marksCallEnd: boolean;
  /** The model takes images. */
  readonly seesImages: boolean;
  /** It takes its calls from the model's text itself, so that text which looks like a call is none. Not given: false. */
  readonly readsCallsFromText?: boolean;
  /** The model to ask where none is named. Not given: one of the provider's own name. */
  readonly model?: string;
  /** What is known of that model. */
  readonly facts?: ModelFacts;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
