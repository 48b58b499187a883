import type { ModelRequest, Provider } from '../../core/model.ts';
import type { RetryPolicy } from '../../host/http/http.ts';
import { geminiFaults } from './check.ts';
import { renderContents } from './contents.ts';
import { createGeminiReader } from './reader.ts';
import { streamAnswer, type WirePost } from '../stream-answer.ts';
import { offerTools } from '../tool-formats.ts';

/** Where Gemini is spoken, and with which key. */
export interface GeminiOptions {
  readonly id: string;
  /** With the version, such as `https://host/v1beta`, without `/models`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryPolicy;
  /** Default: true. */
  readonly seesImages?: boolean;
}

/** Gemini's generateContent over HTTP. Source: ai.google.dev/api/generate-content, 2026-08. */
export function createGeminiProvider(options: GeminiOptions): Provider {
  return {
    id: options.id,
    // A call that came whole must still not run where the message ends as MALFORMED_FUNCTION_CALL.
    marksCallEnd: false,
    seesImages: options.seesImages ?? true,
    stream: (request) => streamAnswer(postOf(options, request), request, createGeminiReader(options.id, request.model)),
  };
}

function postOf(options: GeminiOptions, request: ModelRequest): WirePost {
  const model = request.model.replace(/^models\//, '');
  return {
    url: `${options.baseUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers: { 'x-goog-api-key': options.apiKey, ...options.headers },
    body: renderGeminiRequest(request, options),
    unusable: offerTools(request.tools, 'gemini').unusable,
    faultsOf: (body) => geminiFaults(body, request.model),
    retry: options.retry,
  };
}

/** The body of a request: a join of strings that were made once. */
export function renderGeminiRequest(request: ModelRequest, options: Pick<GeminiOptions, 'id' | 'seesImages'>): string {
  const { tools } = offerTools(request.tools, 'gemini');
  const head = JSON.stringify({
    ...(request.system === '' ? {} : { systemInstruction: { parts: [{ text: request.system.toWellFormed() }] } }),
    // An empty list of declarations is refused. Source: google-gemini/gemini-cli#22210
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools }] }),
    generationConfig: { maxOutputTokens: request.maxOutputTokens },
  });
  const audience = { provider: options.id, model: request.model, seesImages: options.seesImages ?? true };
  return `${head.slice(0, -1)},"contents":[${renderContents(request.messages, audience).join(',')}]}`;
}
