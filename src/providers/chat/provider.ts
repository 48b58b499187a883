import type { ModelRequest, Provider } from '../../core/model.ts';
import type { RetryPolicy } from '../../host/http/http.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import { chatFaults } from './check.ts';
import { createChatReader } from './reader.ts';
import { type ChatQuirks, DEFAULT_QUIRKS } from './quirks.ts';
import { renderChatMessages } from './messages.ts';
import { streamAnswer, type WirePost } from '../stream-answer.ts';
import { offerTools } from '../tool-formats.ts';

/** Where chat completions are spoken, and with which key. */
export interface OpenAIChatOptions {
  /** Names the provider in messages and replay tokens. */
  readonly id: string;
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
  /** Null where the server wants none. */
  readonly apiKey: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly quirks?: Partial<ChatQuirks>;
  readonly retry?: RetryPolicy;
  /** The model takes images. Default: false, as a server that does not would refuse every request from then on. */
  readonly seesImages?: boolean;
}

/** OpenAI chat completions over HTTP, and everyone who imitates them. Source: platform.openai.com/docs/api-reference/chat, 2026-08. */
export function createOpenAIChatProvider(options: OpenAIChatOptions): Provider {
  return {
    id: options.id,
    marksCallEnd: false,
    seesImages: options.seesImages ?? false,
    stream: (request) => streamAnswer(postOf(options, request), request, readerOf(options, request)),
  };
}

function readerOf({ id }: OpenAIChatOptions, { model, tools }: ModelRequest): ReturnType<typeof createChatReader> {
  return createChatReader(
    id,
    model,
    tools.map((tool) => tool.name),
  );
}

function postOf(options: OpenAIChatOptions, request: ModelRequest): WirePost {
  return {
    url: urlOf(options),
    headers: { ...keyHeaderOf(options), ...options.headers },
    body: renderChatRequest(request, options),
    unusable: offerTools(request.tools, 'openai-chat').unusable,
    faultsOf: (body) => chatFaults(body, quirksOf(options)),
    retry: options.retry,
  };
}

function urlOf(options: OpenAIChatOptions): string {
  const query = new URLSearchParams(quirksOf(options).query).toString();
  return `${options.baseUrl.replace(/\/+$/, '')}/chat/completions${query === '' ? '' : `?${query}`}`;
}

function keyHeaderOf(options: OpenAIChatOptions): Record<string, string> {
  if (options.apiKey === null) return {};
  const { keyHeader } = quirksOf(options);
  return { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${options.apiKey}` : options.apiKey };
}

function quirksOf({ quirks }: OpenAIChatOptions): ChatQuirks {
  return { ...DEFAULT_QUIRKS, ...quirks };
}

/** The body of a request: a join of strings that were made once. */
export function renderChatRequest(request: ModelRequest, options: OpenAIChatOptions): string {
  const quirks = quirksOf(options);
  const { tools } = offerTools(request.tools, 'openai-chat');
  const head = stringifyWellFormed({
    model: request.model,
    [quirks.maxTokensField]: request.maxOutputTokens,
    stream: true,
    ...(quirks.asksForUsage ? { stream_options: { include_usage: true } } : {}),
    // OpenAI refuses an empty list.
    ...(tools.length === 0 ? {} : { tools }),
    ...quirks.extraBody,
  });
  const target = { id: options.id, model: request.model, seesImages: options.seesImages ?? false, quirks };
  return `${head.slice(0, -1)},"messages":[${renderChatMessages(request, target).join(',')}]}`;
}
