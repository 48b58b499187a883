import type { ToolRunner } from '../calls/run-tools.ts';
import type { StepRunner } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';

/** A folder's entries by path, each with all that tells two states of it apart. */
export type TreeState = ReadonlyMap<string, string>;

/** A folder made for trying tools in, with the gate around it. */
export interface Bench {
  /** A real path. */
  readonly cwd: string;
  /** Runs a tool of this bench; `steps` sees what it returns before anything bounds it. */
  runner(tool: Tool, steps: StepRunner): ToolRunner;
  look(): Promise<TreeState>;
  close(): Promise<void>;
}

/** What a kit works on: a tool, and inputs to try it with. */
export interface Subject {
  readonly tool: Tool;
  readonly bench: Bench;
  /** The names of the tools that stand beside it. */
  readonly otherNames: readonly string[];
  /** Inputs that are known to make sense. Without any they are made from the schema. */
  readonly samples: readonly unknown[];
  /** An input that keeps the tool busy for a while; null where none is known. */
  readonly slowInput: unknown;
  /** False where schema and checker are somebody else's, whose patterns may never come to an end. */
  readonly trustsPatterns: boolean;
  readonly limits: TrialLimits;
}

export interface TrialLimits {
  /** Seeds all that is made up. */
  readonly seed: number;
  /** Inputs made from the schema that are only checked. */
  readonly fuzzRuns: number;
  /** Inputs made from the schema that are run. */
  readonly trialRuns: number;
  /** How long a call may take. */
  readonly deadlineMs: number;
  /** How long a call that was told to stop may go on. */
  readonly stopMs: number;
  /** How long after an answer it is looked for what still goes on. */
  readonly settleMs: number;
}

export const USUAL_LIMITS: TrialLimits = {
  seed: 1,
  fuzzRuns: 150,
  trialRuns: 8,
  deadlineMs: 10_000,
  stopMs: 1000,
  settleMs: 400,
};

/** Paths that were added, changed or removed, in order. */
export function changesBetween(before: TreeState, after: TreeState): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}
