import type { JsonValue } from '../../core/json-value.ts';
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultBlock, UserMessage } from '../../core/message.ts';
import type { ModelRequest, Provider } from '../../core/model.ts';
import type { RetryPolicy } from '../../host/http.ts';
import { createAnthropicReader } from './reader.ts';
import { streamAnswer, type WirePost } from '../stream-answer.ts';
import { renderAnthropicTool } from '../tool-formats.ts';

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Without `/v1/messages`. */
  readonly baseUrl: string;
  readonly retry?: RetryPolicy;
}

const PROVIDER = 'anthropic';
const API_VERSION = '2023-06-01';

/** Anthropic Messages over HTTP. Source: platform.claude.com/docs/en/api/messages, 2026-08. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  return {
    id: PROVIDER,
    marksCallEnd: true,
    seesImages: true,
    stream: (request) => streamAnswer(postOf(options, request), request, createAnthropicReader(PROVIDER, request.model)),
  };
}

function postOf({ baseUrl, apiKey, retry }: AnthropicOptions, request: ModelRequest): WirePost {
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/v1/messages`,
    headers: { 'anthropic-version': API_VERSION, 'x-api-key': apiKey },
    body: renderRequest(request),
    retry,
  };
}

/** The body of a request: a join of strings that were made once. */
export function renderRequest(request: ModelRequest): string {
  const head = JSON.stringify({
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
    tools: request.tools.map(renderAnthropicTool),
  });
  return `${head.slice(0, -1)},"messages":[${request.messages.map(serialise).join(',')}]}`;
}

// A published message never changes, so its wire text is made once and lives as long as the message.
const serialised = new WeakMap<Message, string>();

function serialise(message: Message): string {
  const known = serialised.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify(message.role === 'user' ? renderUser(message) : renderAssistant(message));
  serialised.set(message, text);
  return text;
}

function renderUser(message: UserMessage): JsonValue {
  return {
    role: 'user',
    content: message.content.map((block) => (block.type === 'tool_result' ? renderResult(block) : renderContent(block))),
  };
}

function renderResult(block: ToolResultBlock): JsonValue {
  return {
    type: 'tool_result',
    tool_use_id: block.toolUseId,
    content: block.content.map(renderContent),
    ...(block.isError ? { is_error: true } : {}),
  };
}

function renderContent(block: TextBlock | ImageBlock): JsonValue {
  if (block.type === 'text') return { type: 'text', text: block.text.toWellFormed() };
  return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
}

function renderAssistant(message: AssistantMessage): JsonValue {
  return { role: 'assistant', content: message.content.flatMap(renderBlock) };
}

function renderBlock(block: AssistantMessage['content'][number]): JsonValue[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text.toWellFormed() }];
    case 'thinking':
    case 'opaque': {
      // Echoed unchanged to who made it; for anyone else it is noise.
      const replay = block.replay;
      return replay?.provider === PROVIDER ? [replay.data] : [];
    }
    case 'tool_use': {
      const extra = block.replay?.provider === PROVIDER ? (block.replay.data as object) : {};
      // Text that was no JSON is never replayed; the result beside it tells the model what it wrote.
      return [{ type: 'tool_use', id: block.id, name: block.name, input: (block.input ?? {}) as JsonValue, ...extra }];
    }
  }
}
