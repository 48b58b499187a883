import { estimateTokens } from '../core/token-estimate.ts';
import type { Tool } from '../core/tool.ts';
import { TOOL_FORMATS } from '../providers/tool-formats.ts';
import { MODEL_DIALECTS } from './portable.ts';

/** What every request pays for a tool: bytes in each dialect, and about how many tokens the longest of them is. */
export interface ToolCost {
  readonly bytes: Readonly<Record<(typeof MODEL_DIALECTS)[number], number>>;
  readonly descriptionBytes: number;
  readonly estimatedTokens: number;
}

export function costOf(tool: Tool): ToolCost {
  const rendered = MODEL_DIALECTS.map((dialect) => [dialect, JSON.stringify(TOOL_FORMATS[dialect](tool))] as const);
  return {
    bytes: Object.fromEntries(rendered.map(([dialect, text]) => [dialect, Buffer.byteLength(text)])) as ToolCost['bytes'],
    descriptionBytes: Buffer.byteLength(tool.description),
    estimatedTokens: Math.max(...rendered.map(([, text]) => estimateTokens(text))),
  };
}
