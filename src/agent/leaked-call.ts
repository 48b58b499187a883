import type { AssistantMessage } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';

// How models write a call where the server's parser of calls is off, or fails. Sources: waybarrios/vllm-mlx#107 (Qwen, Hermes),
// vllm-project/vllm-ascend#12398 (GLM), ggml-org/llama.cpp#16932 (Qwen3-Coder), sgl-project/sglang#21377 (Kimi), Mistral, DeepSeek, Claude.
const MARKERS = [
  '<tool_call>',
  '<function=',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '[TOOL_CALLS]',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<invoke name=',
] as const;
const MAX_BEFORE_NAME = 200;
const CLOSING = /[>}\]]$/;

/**
 * The marker of a call that came as text, or null: a message that has no calls and ends in one, with the name of a tool that was offered.
 * Such text is never run, since it may be quoted from a file.
 */
export function leakedCallIn(message: AssistantMessage, toolNames: readonly string[]): string | null {
  if (toolUsesOf(message).length > 0) return null;
  const last = message.content.findLast((block) => block.type === 'text' || block.type === 'thinking');
  const text = last?.type === 'text' || last?.type === 'thinking' ? last.text.trimEnd() : '';
  if (!CLOSING.test(text)) return null;
  return MARKERS.find((marker) => isCallAt(text, text.lastIndexOf(marker), { marker, toolNames })) ?? null;
}

function isCallAt(
  text: string,
  at: number,
  { marker, toolNames }: { readonly marker: string; readonly toolNames: readonly string[] },
): boolean {
  if (at === -1 || isInCodeBlock(text.slice(0, at))) return false;
  const head = text
    .slice(at + marker.length)
    .slice(0, MAX_BEFORE_NAME)
    .toLowerCase();
  const words: readonly string[] = head.match(/[\w.-]+/g) ?? [];
  return toolNames.some((name) => words.includes(name.toLowerCase()) || words.includes(`functions.${name.toLowerCase()}`));
}

/** What stands in a fence is shown, not meant. */
function isInCodeBlock(before: string): boolean {
  return (before.match(/^\s*(?:```|~~~)/gm) ?? []).length % 2 === 1;
}
