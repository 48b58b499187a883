import type { ImageBlock, TextBlock } from './message.ts';

/** What a call answers. `content` goes to the model and is never empty; `metadata` is for people and programs and never goes to a model. */
export interface ToolResult<M = unknown> {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
  readonly metadata?: M;
}

/** A result that succeeded, in words. */
export function succeed<M>(text: string, metadata?: M): ToolResult<M> {
  return resultOf(text, false, metadata);
}

/** A result that the model can mend: what happened; what to do next. */
export function fail<M>(text: string, metadata?: M): ToolResult<M> {
  return resultOf(text, true, metadata);
}

function resultOf<M>(text: string, isError: boolean, metadata: M | undefined): ToolResult<M> {
  const content: TextBlock[] = [{ type: 'text', text }];
  return metadata === undefined ? { content, isError } : { content, isError, metadata };
}
