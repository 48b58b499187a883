import type { Message } from '../../core/message.ts';
import type { ModelRequest, Provider } from '../../core/model.ts';
import type { RetryPolicy } from '../../host/http/http.ts';
import { responsesFaults } from './check.ts';
import { renderResponsesItems, type ResponsesAudience } from './history.ts';
import { createResponsesReader } from './reader.ts';
import { MessageCache } from '../message-cache.ts';
import { streamAnswer, type WirePost } from '../stream-answer.ts';
import { offerTools } from '../tool-formats.ts';

/** Where OpenAI Responses are spoken, and with which key. */
export interface ResponsesOptions {
  readonly id: string;
  /** With `/v1`, without `/responses`. */
  readonly baseUrl: string;
  /** Null where the server asks for none. */
  readonly apiKey: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryPolicy;
  /** Default: true. */
  readonly seesImages?: boolean;
}

/** OpenAI Responses over HTTP, with nothing kept on the server. Source: platform.openai.com/docs/api-reference/responses, 2026-08. */
export function createResponsesProvider(options: ResponsesOptions): Provider {
  return {
    id: options.id,
    marksCallEnd: true,
    seesImages: options.seesImages ?? true,
    stream: (request) => streamAnswer(postOf(options, request), request, createResponsesReader(options.id, request.model)),
  };
}

function postOf(options: ResponsesOptions, request: ModelRequest): WirePost {
  return {
    url: `${options.baseUrl.replace(/\/+$/, '')}/responses`,
    headers: {
      ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...options.headers,
    },
    body: renderResponsesRequest(request, options),
    unusable: offerTools(request.tools, 'openai-responses').unusable,
    faultsOf: responsesFaults,
    retry: options.retry,
  };
}

// "Encrypted content is not supported with this model": GPT-4 and the chat models answer with this to every request that asks for it.
const NO_REASONING = /^(?:\w+\/)?(?:gpt-[34]|chatgpt-|gpt-[\d.]+-chat)/;

/** The body of a request: a join of strings that were made once. */
export function renderResponsesRequest(request: ModelRequest, options: Pick<ResponsesOptions, 'id' | 'seesImages'>): string {
  const { tools } = offerTools(request.tools, 'openai-responses');
  const head = JSON.stringify({
    model: request.model,
    stream: true,
    store: false,
    // Without the server's store the reasoning travels with us, sealed.
    ...(NO_REASONING.test(request.model) ? {} : { include: ['reasoning.encrypted_content'] }),
    max_output_tokens: request.maxOutputTokens,
    ...(request.system === '' ? {} : { instructions: request.system.toWellFormed() }),
    ...(tools.length === 0 ? {} : { tools }),
  });
  const audience = { provider: options.id, model: request.model, seesImages: options.seesImages ?? true };
  const key = JSON.stringify(audience);
  const items = request.messages.map((message) => itemsOf(message, audience, key)).filter((text) => text !== '');
  return `${head.slice(0, -1)},"input":[${items.join(',')}]}`;
}

const texts = new MessageCache<string>();

/** The items of a message without the brackets around them; empty where it has none. */
function itemsOf(message: Message, audience: ResponsesAudience, key: string): string {
  return texts.get(message, key, () => JSON.stringify(renderResponsesItems(message, audience)).slice(1, -1));
}
