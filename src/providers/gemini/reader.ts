import type { ProviderError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { ModelEvent, StopReason, Usage } from '../../core/model.ts';
import { classifyHttpError } from '../../host/http/http-errors.ts';
import { closeParts, type PartState, readPart } from './parts.ts';
import { asArray, asObject, countOf, countOrNull, stringOr } from '../json-fields.ts';
import { createWireReader, failMessage, protocolError, type WireReader } from '../wire-reader.ts';

/** All that is known of a stream so far. */
interface GeminiState extends PartState {
  hasStarted: boolean;
  rawStop: string | null;
  /** The prompt itself was refused. */
  isBlocked: boolean;
  /** What the provider says beside its last word. */
  finishMessage: string;
  rawUsage: JsonObject;
}

/** Source: ai.google.dev/api/generate-content, 2026-08; quirks as noted where they are met. */
export function createGeminiReader(provider: string, model: string): WireReader {
  const state: GeminiState = {
    provider,
    model,
    open: null,
    nextIndex: 0,
    hasCalls: false,
    hasStarted: false,
    rawStop: null,
    isBlocked: false,
    finishMessage: '',
    rawUsage: {},
    isOver: false,
  };
  return createWireReader({ readEvent: readChunk, usageOf, readWord: readArray, mayBeOver, atEnd: endMessage }, state);
}

function readChunk(state: GeminiState, chunk: JsonObject): ModelEvent[] {
  if (isJsonObject(chunk['error'])) return fail(state, streamError(chunk['error']));
  if (isJsonObject(chunk['usageMetadata'])) state.rawUsage = chunk['usageMetadata'];
  const candidate = asObject(asArray(chunk['candidates'])[0]);
  const blockReason = stringOr(asObject(chunk['promptFeedback'])['blockReason'], null);
  state.isBlocked ||= blockReason !== null;
  state.rawStop = blockReason ?? stringOr(candidate['finishReason'], state.rawStop);
  state.finishMessage = stringOr(candidate['finishMessage'], state.finishMessage);
  const parts = asArray(asObject(candidate['content'])['parts']).map(asObject);
  return [...startMessage(state, chunk), ...parts.flatMap((part) => readPart(state, part))];
}

/** Some errors come inside an array. Source: google-gemini/gemini-cli#3814 */
function readArray(state: GeminiState, data: string): ModelEvent[] | null {
  // A word of other formats that gateways add.
  if (data.trim() === '[DONE]') return [];
  try {
    const chunks: unknown = JSON.parse(data);
    return Array.isArray(chunks) ? chunks.map(asObject).flatMap((chunk) => (state.isOver ? [] : readChunk(state, chunk))) : null;
  } catch {
    return null;
  }
}

function startMessage(state: GeminiState, chunk: JsonObject): ModelEvent[] {
  if (state.hasStarted) return [];
  state.hasStarted = true;
  return [{ type: 'message_start', model: stringOr(chunk['modelVersion'], state.model) }];
}

const MALFORMED = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']);

const SAFETY_WORDS =
  'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII MODEL_ARMOR IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION';

// A map: the words come from outside, and one may be `constructor`.
const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['STOP', 'end_turn'],
  ['MAX_TOKENS', 'max_tokens'],
  ...SAFETY_WORDS.split(' ').map((word) => [word, 'refusal'] as const),
]);

/** Nearly all streams say both in their last chunk. Source: recorded streams, all of them */
function mayBeOver({ rawStop, rawUsage }: GeminiState): boolean {
  return rawStop !== null && Object.keys(rawUsage).length > 0;
}

/** The body ended. The last word may have come before the last usage, so only here the message is over. */
function endMessage(state: GeminiState): ModelEvent[] | null {
  const { rawStop } = state;
  if (rawStop === null) return null;
  if (MALFORMED.has(rawStop)) return fail(state, malformedCall(rawStop, state.finishMessage));
  const stopReason = state.isBlocked ? 'refusal' : STOP_REASONS.get(rawStop);
  if (stopReason === undefined) return fail(state, unknownStop(rawStop, state.finishMessage));
  // What the limit cut stays open: a call of which a part is missing must never run.
  const isWhole = stopReason === 'end_turn';
  const closed = isWhole ? closeParts(state) : [];
  const isCut = stopReason === 'max_tokens' || state.open?.type === 'call';
  state.isOver = true;
  return [
    ...closed,
    {
      type: 'message_end',
      state: isCut ? 'cut' : 'complete',
      stopReason: isWhole && state.hasCalls ? 'tool_use' : stopReason,
      rawStop,
      usage: usageOf(state),
    },
  ];
}

/** No call of such a message is to be trusted, not even one that parsed. Source: pydantic/pydantic-ai#3300, NousResearch/hermes-agent#83886 */
function malformedCall(word: string, said: string): ProviderError {
  const message = said === '' ? `The model made a call that its server could not read (${word}).` : `${word}: ${said}`;
  return { kind: 'malformed_call', message, status: null };
}

function unknownStop(word: string, said: string): ProviderError {
  return protocolError(`the unknown finish reason "${word}"${said === '' ? '' : ` (${said})`}`);
}

function fail(state: GeminiState, error: ProviderError): ModelEvent[] {
  return failMessage(state, error, usageOf(state));
}

// The HTTP status that each status word of an error stands for. Source: ai.google.dev/gemini-api/docs/troubleshooting, 2026-08
const CODES: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** `{"error":{"code","message","status"}}` in place of a chunk: the body of an HTTP error, only late. */
function streamError(error: JsonObject): ProviderError {
  const code = countOf(error['code']) || (CODES.get(stringOr(error['status'], '')) ?? 500);
  return { ...classifyHttpError(code, JSON.stringify({ error })), status: null };
}

/** `promptTokenCount` has cached tokens in it, `candidatesTokenCount` has no thoughts in it. Source: recorded streams */
function usageOf({ rawUsage }: GeminiState): Usage {
  const cacheReadTokens = countOf(rawUsage['cachedContentTokenCount']);
  const thoughts = countOrNull(rawUsage['thoughtsTokenCount']);
  const prompt = countOf(rawUsage['promptTokenCount']) + countOf(rawUsage['toolUsePromptTokenCount']);
  return {
    inputTokens: Math.max(0, prompt - cacheReadTokens),
    outputTokens: countOf(rawUsage['candidatesTokenCount']) + (thoughts ?? 0),
    cacheReadTokens,
    cacheWriteTokens: 0,
    reasoningTokens: thoughts,
  };
}
