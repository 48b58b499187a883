import type { StepRunner } from '../core/ports.ts';

/** Runs each step here and at once; a durable engine would put its own in this place. */
export const DIRECT_STEPS: StepRunner = { runStep: (_step, run) => run() };
