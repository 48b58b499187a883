import type { JsonObject } from '../../core/json-value.ts';
import type { CallIdRule } from '../wire-ids.ts';

/** How a server that speaks chat completions differs from the next one. Sources: design notes, streaming 4.4 and 7. */
export interface ChatQuirks {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Asks for usage with `stream_options`. */
  readonly asksForUsage: boolean;
  /**
   * Whether the text of reasoning goes back: to the model that made it, or on every assistant message, those without any included
   * (DeepSeek, Kimi). What is signed or encrypted always goes back to the model that made it, and to no other.
   */
  readonly reasoning: 'never' | 'same_model' | 'every_message';
  /** Stands in for reasoning with `every_message`. Kimi refuses the empty text. Source: MoonshotAI/kimi-cli#2141 */
  readonly emptyReasoning: string;
  readonly callIds: CallIdRule;
  /** False: a bridging assistant message stands between. Source: BerriAI/litellm#6323 (Mistral) */
  readonly allowsUserAfterTool: boolean;
  /** Further fields of the body. */
  readonly extraBody: JsonObject;
  /** The query of the URL, such as Azure's `api-version`. */
  readonly query: Readonly<Record<string, string>>;
  /** The header that holds the key: `authorization` as a bearer, any other (Azure's `api-key`) as it is. */
  readonly keyHeader: string;
}

/** What most servers take. */
export const DEFAULT_QUIRKS: ChatQuirks = {
  maxTokensField: 'max_tokens',
  asksForUsage: true,
  reasoning: 'same_model',
  emptyReasoning: '',
  callIds: 'openai',
  allowsUserAfterTool: true,
  extraBody: {},
  query: {},
  keyHeader: 'authorization',
};
