import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { AssistantMessage, ThinkingBlock, ToolUseBlock } from '../../core/message.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import type { ChatQuirks } from './quirks.ts';
import { chatReplayOf } from './replay.ts';
import { wireNameOf, type WireTarget } from '../wire-ids.ts';

interface Target extends WireTarget {
  readonly quirks: ChatQuirks;
}

type WireIds = ReadonlyMap<string, { readonly id: string }>;

/** An assistant message of the wire, or null where nothing of it can be sent. */
export function renderChatAssistant(message: AssistantMessage, ids: WireIds, target: Target): JsonObject | null {
  const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [renderCall(block, ids, target)] : []));
  const text = textFor(message);
  if (calls.length === 0 && text === null) return null;
  const kept = keptFields(message, target);
  return {
    role: 'assistant',
    ...renderReasoning(message, text, { target, hasDetails: 'reasoning_details' in kept }),
    ...kept,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** One plain text: arrays of parts made models imitate them. Null where there are only calls. */
function textFor({ content }: AssistantMessage): string | null {
  const texts = content.filter((block) => block.type === 'text').filter((block) => block.text.trim() !== '');
  return texts.length === 0 ? null : texts.map((block) => block.text).join('\n');
}

function renderCall(block: ToolUseBlock, ids: WireIds, target: Target): JsonObject {
  // Text that was no JSON is never replayed: strict servers refuse the session from then on. Source: local-inference-lab/vllm#684
  const input = isJsonObject(block.input) ? block.input : {};
  return {
    id: ids.get(block.id)?.id ?? block.id,
    type: 'function',
    function: { name: wireNameOf(block.name), arguments: stringifyWellFormed(input) },
    ...chatReplayOf(block.replay, target).call,
  };
}

/** What the server alone can read, back in its place. */
function keptFields({ content }: AssistantMessage, target: Target): JsonObject {
  return Object.assign({}, ...content.map((block) => chatReplayOf(block.replay, target).message)) as JsonObject;
}

interface ReasoningPlace {
  readonly target: Target;
  /** The reasoning goes back as `reasoning_details`, which hold its text. */
  readonly hasDetails: boolean;
}

/** The content, and the reasoning in the field in which it came. */
function renderReasoning(message: AssistantMessage, text: string | null, { target, hasDetails }: ReasoningPlace): JsonObject {
  const { reasoning, emptyReasoning } = target.quirks;
  if (reasoning === 'never' || hasDetails) return { content: text };
  const own = message.content.filter((block) => block.type === 'thinking').flatMap((block) => ownReasoning(block, target));
  const field = own[0]?.field;
  const thought = own.map((block) => block.text).join('\n');
  if (field === 'content') return { content: renderParts(thought, text) };
  if (field !== undefined) return { content: text, [field]: thought };
  // Source: charmbracelet/crush#2696, earendil-works/pi#3636
  return reasoning === 'every_message' ? { content: text, reasoning_content: emptyReasoning } : { content: text };
}

function ownReasoning(block: ThinkingBlock, target: Target): { readonly field: string; readonly text: string }[] {
  const { field } = chatReplayOf(block.replay, target);
  return field === undefined ? [] : [{ field, text: block.text }];
}

/** Mistral's way: reasoning is a part of the content. */
function renderParts(thought: string, text: string | null): JsonObject[] {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: thought }] };
  return text === null ? [thinking] : [thinking, { type: 'text', text }];
}
