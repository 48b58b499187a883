import type { ToolResult } from '../core/tool-result.ts';
import type { Toolbox } from '../sdk/create-toolbox.ts';

/** What is looked at of a message of the Anthropic API. */
export interface AnthropicReply {
  readonly content: readonly { readonly type: string }[];
}

type Part =
  | { type: 'text'; text: string }
  | {
      type: 'image';
      source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string };
    };

/** The user message that answers the calls of a reply. */
export interface AnthropicAnswer {
  role: 'user';
  content: { type: 'tool_result'; tool_use_id: string; content: Part[]; is_error: boolean }[];
}

interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Runs the calls of a reply of the Anthropic Messages API, and gives the message that answers them; null where it calls nothing.
 * Each call gets one result, in call order. Source: Anthropic, Messages API, tool use, read 2026-11.
 */
export async function answerAnthropic(
  toolbox: Toolbox,
  { content }: AnthropicReply,
  signal?: AbortSignal,
): Promise<AnthropicAnswer | null> {
  const calls = content.filter((block): block is ToolUse => block.type === 'tool_use');
  if (calls.length === 0) return null;
  const results = await toolbox.callAll(
    calls.map(({ name, input }) => ({ name, input })),
    signal,
  );
  return { role: 'user', content: calls.map(({ id }, i) => resultOf(id, results[i] as ToolResult)) };
}

function resultOf(id: string, { content, isError }: ToolResult): AnthropicAnswer['content'][number] {
  return { type: 'tool_result', tool_use_id: id, content: content.map(partOf), is_error: isError };
}

function partOf(block: ToolResult['content'][number]): Part {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
}
