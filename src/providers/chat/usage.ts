import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { Usage } from '../../core/model.ts';
import { asArray, asObject, countOf, countOrNull } from '../json-fields.ts';

interface UsageState {
  rawUsage: JsonObject;
  timings: JsonObject;
}

/** Keeps the last usage, wherever it stands: on a chunk (which one differs), in Groq's own field, or on a choice (Moonshot). */
export function takeUsage(state: UsageState, event: JsonObject): void {
  for (const choice of asArray(event['choices'])) keepUsage(state, asObject(choice)['usage']);
  keepUsage(state, asObject(event['x_groq'])['usage']);
  keepUsage(state, event['usage']);
  if (isJsonObject(event['timings'])) state.timings = event['timings'];
}

function keepUsage(state: UsageState, usage: unknown): void {
  if (isJsonObject(usage)) state.rawUsage = usage;
}

/** In one vocabulary: `prompt_tokens` has what was read from and written to a cache in it. */
export function usageOf({ rawUsage, timings }: UsageState): Usage {
  const details = asObject(rawUsage['prompt_tokens_details']);
  const prompt = countOf(rawUsage['prompt_tokens']);
  const cacheReadTokens = firstCount([
    details['cached_tokens'],
    rawUsage['prompt_cache_hit_tokens'], // DeepSeek
    rawUsage['cached_tokens'], // Moonshot
    timings['cache_n'], // llama.cpp
  ]);
  const cacheWriteTokens = firstCount([details['cache_write_tokens'], details['cache_creation_input_tokens']]);
  return {
    inputTokens: Math.max(0, prompt - cacheReadTokens - cacheWriteTokens),
    outputTokens: outputOf(rawUsage, prompt),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: reasoningOf(rawUsage),
  };
}

/** xAI counts reasoning beside `completion_tokens`, everyone else inside; the total tells. Source: recorded streams, 16 of 16 */
function outputOf(rawUsage: JsonObject, prompt: number): number {
  const completion = countOf(rawUsage['completion_tokens']);
  const reasoning = reasoningOf(rawUsage) ?? 0;
  return countOf(rawUsage['total_tokens']) === prompt + completion + reasoning ? completion + reasoning : completion;
}

function reasoningOf(rawUsage: JsonObject): number | null {
  const told = asObject(rawUsage['completion_tokens_details'])['reasoning_tokens'] ?? rawUsage['reasoning_tokens'];
  return countOrNull(told);
}

function firstCount(places: readonly unknown[]): number {
  return places.map(countOrNull).find((count) => count !== null) ?? 0;
}
