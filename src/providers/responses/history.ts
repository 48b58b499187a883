import { isJsonObject, type JsonValue } from '../../core/json-value.ts';
import {
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type ReplayToken,
  type TextBlock,
  textOf,
  type ToolResultBlock,
  type UserMessage,
} from '../../core/message.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import { safeCallId, wireNameOf } from '../wire-ids.ts';

/** Whom a history is rendered for. */
export interface ResponsesAudience {
  readonly provider: string;
  readonly model: string;
  readonly seesImages: boolean;
}

/** A message as input items of OpenAI Responses: results before text, each block an item of its own. */
export function renderResponsesItems(message: Message, audience: ResponsesAudience): readonly JsonValue[] {
  return message.role === 'user' ? userItems(message, audience) : assistantItems(message, audience);
}

function userItems({ content }: UserMessage, audience: ResponsesAudience): JsonValue[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const parts = content.filter((block) => block.type !== 'tool_result').flatMap((block) => inputParts(block, audience));
  const said = parts.length === 0 ? [] : [{ type: 'message', role: 'user', content: parts }];
  return [...results.map((block) => outputItem(block, audience)), ...said];
}

function outputItem({ toolUseId, content }: ToolResultBlock, audience: ResponsesAudience): JsonValue {
  const hasImages = content.some((block) => block.type === 'image');
  const output = hasImages ? content.flatMap((block) => inputParts(block, audience)) : textOf(content).toWellFormed();
  return { type: 'function_call_output', call_id: safeCallId(toolUseId), output };
}

const UNSEEN_IMAGE = '[An image, which this model cannot see.]';

function inputParts(block: TextBlock | ImageBlock, { seesImages }: ResponsesAudience): JsonValue[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [inputText(block.text)];
  if (!seesImages) return [inputText(UNSEEN_IMAGE)];
  return [{ type: 'input_image', detail: 'auto', image_url: `data:${block.mediaType};base64,${block.data}` }];
}

function inputText(text: string): JsonValue {
  return { type: 'input_text', text: text.toWellFormed() };
}

type Block = AssistantMessage['content'][number];

function assistantItems(message: AssistantMessage, audience: ResponsesAudience): JsonValue[] {
  return message.content.flatMap((block, i) =>
    block.type === 'thinking'
      ? reasoningItem(block.replay, { isFollowed: isFollowed(message.content.slice(i + 1)), message, audience })
      : blockItems(block, audience),
  );
}

/** "Item rs_… of type reasoning was provided without its required following item". Source: vercel/ai#7099 */
function isFollowed(later: readonly Block[]): boolean {
  return later.some((block) => block.type === 'tool_use' || (block.type === 'text' && block.text.trim() !== ''));
}

interface ReasoningPlace {
  readonly isFollowed: boolean;
  readonly message: AssistantMessage;
  readonly audience: ResponsesAudience;
}

/** Sealed reasoning goes back to the model that made it, out of messages that it completed; other reasoning is noise. Source: vercel/ai#13234 */
function reasoningItem(replay: ReplayToken | undefined, place: ReasoningPlace): JsonValue[] {
  const item = ownData(replay, place.audience);
  const isSealed = typeof item?.['encrypted_content'] === 'string' && item['encrypted_content'] !== '';
  if (item === null || !isSealed || !place.isFollowed || place.message.state !== 'complete') return [];
  // With store: false the server knows no ids. Source: anomalyco/opencode#5104
  const { id: _id, status: _status, ...rest } = item;
  return [rest];
}

function blockItems(block: Exclude<Block, { type: 'thinking' }>, audience: ResponsesAudience): JsonValue[] {
  switch (block.type) {
    case 'text': {
      if (block.text.trim() === '') return [];
      const phase = ownData(block.replay, audience)?.['phase'];
      const content = [{ type: 'output_text', text: block.text.toWellFormed(), annotations: [] }];
      return [{ type: 'message', role: 'assistant', content, ...(phase === undefined ? {} : { phase }) }];
    }
    case 'tool_use':
      // Text that was no JSON is never replayed; the result beside it tells the model what it wrote.
      return [
        {
          type: 'function_call',
          call_id: safeCallId(block.id),
          name: wireNameOf(block.name),
          arguments: stringifyWellFormed(block.input ?? {}),
        },
      ];
    case 'opaque': {
      const { id: _id, ...item } = ownData(block.replay, audience) ?? {};
      return Object.keys(item).length === 0 ? [] : [item];
    }
  }
}

/** What only the model that made it can read, for that model. */
function ownData(replay: ReplayToken | undefined, audience: ResponsesAudience): Readonly<Record<string, JsonValue>> | null {
  if (replay?.provider !== audience.provider || replay.model !== audience.model || !isJsonObject(replay.data)) return null;
  return replay.data;
}
