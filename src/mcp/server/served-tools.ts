import type { ToolFormats } from '../../core/dialect.ts';
import type { DecisionPart, RuleOffer } from '../../core/permission.ts';
import type { ToolResult } from '../../core/tool-result.ts';

/** A call that may run only if a person says so. */
export interface CallQuestion {
  readonly name: string;
  /** The whole input, a line each, safe to show. */
  readonly details: readonly string[];
  readonly parts: readonly DecisionPart[];
  readonly offers: readonly RuleOffer[];
  /** The same for the same question alone: an answer is to this one and to no other. */
  readonly fingerprint: string;
}

/** What a person said to a question. */
export type CallAnswer = { readonly fingerprint: string } & (
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason?: string }
);

export interface ServedCall {
  readonly name: string;
  readonly input: unknown;
  /** Who calls, by its own words. */
  readonly client: string;
  /** True where a question can be put to a person; otherwise what would ask is denied. */
  readonly canAsk: boolean;
  readonly answer: CallAnswer | null;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

export type CallOutcome =
  | { readonly type: 'result'; readonly result: ToolResult }
  /** Nothing was done; the same call with an answer goes on. */
  | { readonly type: 'question'; readonly question: CallQuestion };

/** The tools of a session as a server hands them out. Whoever implements it has the gate in front of each call. */
export interface ServedTools {
  /** As the protocol tells of them. */
  list(): readonly ToolFormats['mcp'][];
  /** Never throws for what a caller can mend. */
  call(call: ServedCall): Promise<CallOutcome>;
}

/** How a server presents itself. */
export interface ServerIdentity {
  /** Default `wield`. */
  readonly name?: string;
  readonly version: string;
  /** For the model that uses the tools. */
  readonly instructions: string;
}
