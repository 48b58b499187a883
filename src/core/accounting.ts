import { isCount, isJsonObject } from './json-value.ts';
import { addUsage, type ModelPrice, NO_USAGE, type Usage } from './model.ts';

/** What responses came to: tokens as the provider reported them, never estimated, and US dollars by the list price, null where unknown. */
export interface Spend {
  readonly usage: Usage;
  readonly cost: number | null;
}

export const NO_SPEND: Spend = { usage: NO_USAGE, cost: 0 };

const PER_TOKENS = 1_000_000;

/** Whether a value of a file is a usage. */
export function isUsage(value: unknown): value is Usage {
  if (!isJsonObject(value)) return false;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = value;
  const isWhole = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].every(isCount);
  return isWhole && (reasoningTokens === null || isCount(reasoningTokens));
}

/** True where a provider told of any tokens. Some servers tell of none, which is not the same as nothing used. */
export function isReported(usage: Usage): boolean {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens > 0;
}

/** US dollars of a response by its list price; null where the price or the usage is not known. */
export function costOf(usage: Usage, price: ModelPrice | null): number | null {
  if (price === null || !isReported(usage)) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return (
    (inputTokens * price.input +
      outputTokens * price.output +
      cacheReadTokens * price.cacheRead +
      cacheWriteTokens * price.cacheWrite) /
    PER_TOKENS
  );
}

/** What one response came to. A request that was refused before any answer, and told of no tokens, was not billed as far as anyone knows. */
export function spendOf(usage: Usage, price: ModelPrice | null, wasRefused: boolean): Spend {
  return wasRefused && !isReported(usage) ? NO_SPEND : { usage, cost: costOf(usage, price) };
}

/** The sum; its cost is unknown as soon as one part's is. */
export function addSpend(a: Spend, b: Spend): Spend {
  return { usage: addUsage(a.usage, b.usage), cost: addCost(a.cost, b.cost) };
}

function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
