import type { JsonObject } from '../../core/json-value.ts';
import {
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type TextBlock,
  textOf,
  type ToolResultBlock,
  toolUsesOf,
  type UserMessage,
} from '../../core/message.ts';
import type { ModelRequest } from '../../core/model.ts';
import { renderChatAssistant } from './assistant.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import type { ChatQuirks } from './quirks.ts';
import { MessageCache } from '../message-cache.ts';
import { wireIdsOf, wireNameOf, type WireTarget } from '../wire-ids.ts';

/** Whom messages are rendered for. */
export interface ChatTarget extends WireTarget {
  readonly seesImages: boolean;
  readonly quirks: ChatQuirks;
}

/** A call as the wire knows it. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
}

type Content = UserMessage['content'][number];

/** The messages of a request, system message first, each as JSON; an own message may be several of the wire's, or none. */
export function renderChatMessages(request: ModelRequest, target: ChatTarget): string[] {
  const calls = wireCallsOf(request.messages, target);
  const system = request.system.trim() === '' ? [] : [stringifyWellFormed({ role: 'system', content: request.system })];
  const key = JSON.stringify(target);
  return [...system, ...request.messages.flatMap((message) => serialise(message, { target, key, calls }))];
}

function wireCallsOf(messages: readonly Message[], target: ChatTarget): ReadonlyMap<string, WireCall> {
  const ids = wireIdsOf(messages, target.quirks.callIds, target);
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolUsesOf(message) : []));
  return new Map(calls.map((call) => [call.id, { id: ids.get(call.id) ?? call.id, name: wireNameOf(call.name) }]));
}

interface Rendering {
  readonly target: ChatTarget;
  /** The target in one text. */
  readonly key: string;
  readonly calls: ReadonlyMap<string, WireCall>;
}

const texts = new MessageCache<readonly string[]>();

function serialise(message: Message, { target, key, calls }: Rendering): readonly string[] {
  const ids = message.content.flatMap((block) => callIdOf(block) ?? []).map((id) => calls.get(id)?.id);
  return texts.get(message, JSON.stringify([key, ids]), () => {
    const rendered = message.role === 'user' ? renderUser(message, calls, target) : renderAssistant(message, calls, target);
    return rendered.map(stringifyWellFormed);
  });
}

function callIdOf(block: Message['content'][number]): string | null {
  if (block.type === 'tool_use') return block.id;
  return block.type === 'tool_result' ? block.toolUseId : null;
}

function renderAssistant(message: AssistantMessage, calls: ReadonlyMap<string, WireCall>, target: ChatTarget): JsonObject[] {
  const rendered = renderChatAssistant(message, calls, target);
  return rendered === null ? [] : [rendered];
}

/** Results first, each a message of its own, then everything else, as chat completions has it. */
function renderUser({ content }: UserMessage, calls: ReadonlyMap<string, WireCall>, target: ChatTarget): JsonObject[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const others = content.filter((block) => block.type !== 'tool_result');
  const rest = [...results.flatMap((result) => imagesOf(result, calls)), ...others];
  const tools = results.map((result) => renderResult(result, calls));
  const user = renderContent(rest, target);
  if (user === null) return tools;
  const needsBridge = tools.length > 0 && !target.quirks.allowsUserAfterTool;
  return [...tools, ...(needsBridge ? [BRIDGE] : []), { role: 'user', content: user }];
}

const BRIDGE: JsonObject = { role: 'assistant', content: 'Done.' };

function renderResult({ toolUseId, content }: ToolResultBlock, calls: ReadonlyMap<string, WireCall>): JsonObject {
  const text = textOf(content);
  const hasImage = content.some((block) => block.type === 'image');
  const fallback = hasImage ? '(see the image below)' : '(no output)';
  return { role: 'tool', tool_call_id: calls.get(toolUseId)?.id ?? toolUseId, content: text.trim() === '' ? fallback : text };
}

/** Images may not stand in tool messages: they come after all of them, each group with the name of its call. Source: OpenHands/OpenHands#7700 */
function imagesOf({ toolUseId, content }: ToolResultBlock, calls: ReadonlyMap<string, WireCall>): (TextBlock | ImageBlock)[] {
  const images = content.filter((block) => block.type === 'image');
  if (images.length === 0) return [];
  const call = calls.get(toolUseId);
  return [{ type: 'text', text: `Image from the result of ${call?.name ?? 'a tool'} (${call?.id ?? toolUseId}):` }, ...images];
}

/** Plain text where it is only text, as some servers take no parts; null where nothing is left. */
function renderContent(content: readonly Content[], { seesImages }: ChatTarget): string | JsonObject[] | null {
  const parts = content.filter((block) => block.type === 'image' || (block.type === 'text' && block.text.trim() !== ''));
  if (parts.length === 0) return null;
  const shown = seesImages ? parts : parts.map((part) => (part.type === 'image' ? UNSEEN : part));
  return shown.some((part) => part.type === 'image') ? shown.flatMap(renderPart) : textOf(shown);
}

const UNSEEN: TextBlock = { type: 'text', text: '[an image that this model cannot see]' };

function renderPart(block: Content): JsonObject[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'image') return [];
  return [{ type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.data}` } }];
}
