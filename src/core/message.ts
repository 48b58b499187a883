import type { JsonValue } from './json-value.ts';

/** Text in a message. Never blank when it is sent. Some providers sign text; `replay` holds that. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly replay?: ReplayToken;
}

/** An image, base64 without line breaks. */
export interface ImageBlock {
  readonly type: 'image';
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly data: string;
}

/** What only the model that made it can read: signatures, encrypted reasoning, server tool blocks. Echoed unchanged to that model, dropped for others. */
export interface ReplayToken {
  readonly provider: string;
  readonly model: string;
  readonly data: JsonValue;
}

/** A model's reasoning. `text` may be empty while `replay` still has to go back. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  readonly replay?: ReplayToken;
}

/**
 * A request of the model to run a tool; not yet an act.
 * `id` is ours and unique in the session; `wireId` is what the provider called it, or null.
 * `input` is the parsed object; where the text was no JSON object it is null and `malformedInput` holds that text.
 */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly wireId: string | null;
  readonly name: string;
  readonly input: unknown;
  readonly malformedInput?: string;
  readonly replay?: ReplayToken;
}

/** A block that wield does not understand and sends back where it came from. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly replay: ReplayToken;
}

/** The answer to one `tool_use`. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** What a person says, and the answers to calls. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextBlock | ImageBlock | ToolResultBlock)[];
}

/** `complete`: the provider said so. `cut`: it stopped for length. `failed`: the stream broke or was aborted; its calls never ran unless a result says otherwise. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextBlock | ThinkingBlock | ToolUseBlock | OpaqueBlock)[];
  readonly state: 'complete' | 'cut' | 'failed';
  readonly provider: string;
  readonly model: string;
}

/**
 * Provider-neutral; never mutated once published.
 * Invariant of a finished round: each `tool_use` is answered by exactly one `tool_result` in the very next user message, results first, in call order.
 */
export type Message = UserMessage | AssistantMessage;

/** The calls of a message, in call order. */
export function toolUsesOf(message: AssistantMessage): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/** The text blocks of a message or result, joined by line ends. */
export function textOf(content: readonly { readonly type: string }[]): string {
  return content
    .filter((block): block is TextBlock => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}
