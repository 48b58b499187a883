import type { JsonValue } from '../../core/json-value.ts';
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  ReplayToken,
  TextBlock,
  ToolResultBlock,
  UserMessage,
} from '../../core/message.ts';
import { safeCallId, wireNameOf, type WireTarget } from '../wire-ids.ts';

/** Whom a history is rendered for. */
export interface AnthropicAudience extends WireTarget {
  readonly seesImages: boolean;
}

/** The blocks of a message as Anthropic takes them; none where nothing of it is for this audience. */
export function renderBlocks(message: Message, audience: AnthropicAudience): readonly JsonValue[] {
  return message.role === 'user'
    ? message.content.flatMap((block) => renderUserBlock(block, audience))
    : message.content.flatMap((block) => renderBlock(block, audience));
}

function renderUserBlock(block: UserMessage['content'][number], audience: AnthropicAudience): JsonValue[] {
  if (block.type === 'tool_result') return [renderResult(block, audience)];
  return block.type === 'text' && block.text.trim() === '' ? [] : [renderContent(block, audience)];
}

function renderResult({ toolUseId, content, isError }: ToolResultBlock, audience: AnthropicAudience): JsonValue {
  const parts = content.filter((block) => block.type === 'image' || block.text.trim() !== '');
  return {
    type: 'tool_result',
    tool_use_id: safeCallId(toolUseId),
    content: parts.map((block) => renderContent(block, audience)),
    ...(isError ? { is_error: true } : {}),
  };
}

const UNSEEN_IMAGE = { type: 'text', text: '[An image, which this model cannot see.]' } as const;

function renderContent(block: TextBlock | ImageBlock, { seesImages }: AnthropicAudience): JsonValue {
  if (block.type === 'text') return { type: 'text', text: block.text };
  return seesImages ? { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } } : UNSEEN_IMAGE;
}

function renderBlock(block: AssistantMessage['content'][number], audience: AnthropicAudience): JsonValue[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
    case 'opaque':
      return isOwn(block.replay, audience) ? [block.replay.data] : [];
    case 'tool_use': {
      const extra = isOwn(block.replay, audience) ? (block.replay.data as object) : {};
      // Text that was no JSON is never replayed; the result beside it tells the model what it wrote.
      const input = (block.input ?? {}) as JsonValue;
      return [{ type: 'tool_use', id: safeCallId(block.id), name: wireNameOf(block.name), input, ...extra }];
    }
  }
}

/** Echoed unchanged to the model that made it; for any other it is noise that is billed, or an error. */
function isOwn(replay: ReplayToken | undefined, { id, model }: AnthropicAudience): replay is ReplayToken {
  return replay?.provider === id && replay.model === model;
}
