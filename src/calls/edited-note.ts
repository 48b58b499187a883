import type { ToolResult } from '../core/tool-result.ts';

const MAX_CHARS = 2000;

/** The answer to a call that a person changed before it ran: the model is told what did run, since it knows only what it asked for. */
export function withEditedNote(result: ToolResult, input: unknown): ToolResult {
  const ran = JSON.stringify(input) ?? '';
  const shown =
    ran.length <= MAX_CHARS ? ran : `${ran.slice(0, MAX_CHARS).toWellFormed()} [… ${ran.length - MAX_CHARS} more characters]`;
  const text = `[The person changed this call before it ran, and means it so. What ran is: ${shown}]`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}
