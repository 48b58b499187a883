import type { ToolResult } from '../core/tool-result.ts';

/** A result where only text can stand: an image is named. */
export function wordsOf(result: ToolResult | undefined): string {
  const blocks = result?.content ?? [];
  return blocks
    .map((block) => (block.type === 'text' ? block.text : `[an image, ${block.mediaType}; not shown here]`))
    .join('\n');
}
