import type { RunOutcome } from './run-outcome.ts';

/** A task for an agent of its own, which knows nothing but this text. */
export interface AgentTask {
  /** What a person calls it. */
  readonly title: string;
  readonly prompt: string;
  /** Names of the tools that it may use, of those that its parent has; null is all of them. */
  readonly tools: readonly string[] | null;
  /** Fewer turns than it may have anyway; null leaves it at that. */
  readonly maxTurns: number | null;
}

/** What a sub-agent came to. `text` is what it said last; `fault` is why it failed, where it did. */
export interface AgentReport {
  readonly outcome: RunOutcome;
  readonly text: string;
  readonly fault: string | null;
  readonly turns: number;
  readonly calls: number;
}

/** Agents that work for a call, with no more rights than it has. */
export interface AgentAccess {
  /** Ends when the sub-agent has, also after an abort. `unknown` are names of tools that its parent has not. */
  run(task: AgentTask): Promise<AgentReport | { readonly unknown: readonly string[]; readonly known: readonly string[] }>;
}
