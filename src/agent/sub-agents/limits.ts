import type { Budget } from '../budget.ts';

/** How far each sub-agent of a session may go, and how many work at once. */
export interface SubAgentLimits extends Budget {
  readonly maxTurns: number;
  /** More than these wait until one has ended. */
  readonly maxAtOnce: number;
}

export const DEFAULT_LIMITS: SubAgentLimits = { maxTurns: 50, maxTokens: 2_000_000, maxCost: 10, maxAtOnce: 6 };
