import type { ModelRequest, Provider } from '../../core/model.ts';
import type { RetryPolicy } from '../../host/http/http.ts';
import { streamAnswer, type WirePost } from '../stream-answer.ts';
import { offerTools } from '../tool-formats.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import { anthropicFaults } from './check.ts';
import { EPHEMERAL, renderTurns } from './turns.ts';
import { createAnthropicReader } from './reader.ts';

/** Where Anthropic Messages are spoken, and with which key. */
export interface AnthropicOptions {
  /** Names the provider in messages and replay tokens. Default: anthropic. */
  readonly id?: string;
  /** Null where the server wants none. */
  readonly apiKey: string | null;
  /** Without `/v1/messages`. */
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryPolicy;
  /** Default: true. */
  readonly seesImages?: boolean;
}

const API_VERSION = '2023-06-01';

/** Anthropic Messages over HTTP. Source: platform.claude.com/docs/en/api/messages, 2026-08. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const id = idOf(options);
  return {
    id,
    marksCallEnd: true,
    seesImages: options.seesImages ?? true,
    stream: (request) => streamAnswer(postOf(options, request), request, createAnthropicReader(id, request.model)),
  };
}

function idOf({ id }: Pick<AnthropicOptions, 'id'>): string {
  return id ?? 'anthropic';
}

function postOf(options: AnthropicOptions, request: ModelRequest): WirePost {
  const { baseUrl, apiKey, headers, retry } = options;
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/v1/messages`,
    headers: { 'anthropic-version': API_VERSION, ...(apiKey === null ? {} : { 'x-api-key': apiKey }), ...headers },
    body: renderAnthropicRequest(request, options),
    unusable: offerTools(request.tools, 'anthropic').unusable,
    faultsOf: (body) => anthropicFaults(body as never),
    retry,
  };
}

/** The body of a request: a join of strings that were made once. */
export function renderAnthropicRequest(request: ModelRequest, options: Pick<AnthropicOptions, 'id' | 'seesImages'> = {}): string {
  const head = stringifyWellFormed({
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.system.trim() === '' ? {} : { system: [{ type: 'text', text: request.system, cache_control: EPHEMERAL }] }),
    tools: offerTools(request.tools, 'anthropic').tools,
  });
  const audience = { id: idOf(options), model: request.model, seesImages: options.seesImages ?? true };
  return `${head.slice(0, -1)},"messages":[${renderTurns(request.messages, audience).join(',')}]}`;
}
