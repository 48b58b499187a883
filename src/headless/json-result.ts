import type { JsonObject } from '../core/json-value.ts';
import { fatalError, type RunSummary } from './outcome.ts';

/** The one object of `--output-format json`, and the last line of `stream-json`. */
export function renderResult(
  summary: RunSummary,
  { sessionId, durationMs }: { readonly sessionId: string; readonly durationMs: number },
): JsonObject {
  const { usage } = summary;
  const error = summary.outcome === 'failed' ? fatalError(summary.errors) : null;
  return {
    type: 'result',
    subtype: subtypeOf(summary),
    is_error: summary.outcome !== 'done',
    result: summary.text,
    ...(error === null ? {} : { error: { code: error.code, message: error.message, remedy: error.remedy } }),
    duration_ms: durationMs,
    num_turns: summary.turns,
    session_id: sessionId,
    total_cost_usd: summary.cost,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation_input_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
    },
    permission_denials: summary.denials.map(({ toolUseId, name, because }) => ({
      tool_use_id: toolUseId,
      tool_name: name,
      because,
    })),
  };
}

function subtypeOf({ outcome }: RunSummary): string {
  if (outcome === 'done') return 'success';
  if (outcome === 'max_turns') return 'error_max_turns';
  return outcome === 'budget' ? 'error_max_budget_usd' : 'error_during_execution';
}
