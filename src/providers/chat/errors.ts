import type { ProviderError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { classifyHttpError } from '../../host/http/http-errors.ts';
import { malformedCall } from './stop.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';

/**
 * The error that an event of a 200 answer carries, or null. Groq sends `{error}` in an event of its own, OpenRouter puts it beside the
 * choices or into one, Gemini's door sends it in place of a chunk, vLLM sends `{object: "error", message}`.
 */
export function errorIn(event: JsonObject): ProviderError | null {
  if (saysSomething(event['error'])) return errorOf(event['error']);
  for (const choice of asArray(event['choices'])) {
    const { error } = asObject(choice);
    if (saysSomething(error)) return errorOf(error);
  }
  const bare = bareError(event);
  return saysSomething(bare) ? errorOf(bare) : null;
}

/** The error of an array of them. Source: google-gemini/gemini-cli#3814 */
export function errorInArray(events: readonly unknown[]): ProviderError | null {
  return errorIn(asObject(events[0]));
}

function bareError(event: JsonObject): unknown {
  if (event['object'] === 'error' || event['type'] === 'error') return event;
  return event['choices'] === undefined ? event['detail'] : undefined;
}

function saysSomething(error: unknown): boolean {
  return typeof error === 'string' ? error !== '' : isJsonObject(error) && Object.keys(error).length > 0;
}

function errorOf(error: unknown): ProviderError {
  const { code, message, failed_generation } = asObject(error);
  // Groq checks the model's calls itself; what the model wrote comes along. Source: recorded streams, 2026-02
  if (code === 'tool_use_failed') {
    const wrote = stringOr(failed_generation, null);
    return malformedCall(`${stringOr(message, code)}${wrote === null ? '' : ` The model wrote: ${wrote}`}`);
  }
  // The words are those of an HTTP answer, though none came.
  return { ...classifyHttpError(statusOf(asObject(error)), JSON.stringify({ error })), status: null };
}

/** A status that an error names itself; without one the fault is taken to be the server's. */
function statusOf({ code, status, status_code }: JsonObject): number {
  return [code, status_code, status].map(Number).find((number) => number >= 400 && number < 600) ?? 500;
}
