import type { Spend } from '../core/accounting.ts';

/** What a run may come to before it ends. */
export interface Budget {
  /** Tokens that were sent, but for those that a cache gave, and that were answered. */
  readonly maxTokens: number;
  /** US dollars; it holds where the cost is known. */
  readonly maxCost: number;
}

/** True where a run came to more than it may. */
export function isSpent({ usage, cost }: Spend, { maxTokens, maxCost }: Budget): boolean {
  const tokens = usage.inputTokens + usage.cacheWriteTokens + usage.outputTokens;
  return tokens >= maxTokens || (cost !== null && cost >= maxCost);
}
