import fc from 'fast-check';
import type { Subject } from './bench.ts';
import { FIXTURE_PATHS } from './fixture.ts';
import { valuesOf } from './made-inputs.ts';

// Several checks look at the same inputs of a subject; some checkers take a thread and a while for each.
const known = new WeakMap<Subject, Promise<readonly unknown[]>>();

/** Inputs as the tool itself takes them: its samples first, then made-up ones. The same seed gives the same. */
export function fittingInputs(subject: Subject): Promise<readonly unknown[]> {
  const inputs = known.get(subject) ?? checked(subject, [...subject.samples, ...madeInputs(subject, subject.limits.fuzzRuns)]);
  known.set(subject, inputs);
  return inputs;
}

/** Inputs made from the schema, most of which fit. */
export function madeInputs({ tool, bench, trustsPatterns, limits }: Subject, count: number): readonly unknown[] {
  const paths = FIXTURE_PATHS.map((path) => `${bench.cwd}/${path}`);
  const made = valuesOf(tool.inputSchema, { paths: [bench.cwd, ...paths], trustsPatterns });
  return fc.sample(made, { seed: limits.seed, numRuns: count });
}

async function checked({ tool }: Subject, inputs: readonly unknown[]): Promise<readonly unknown[]> {
  const fitting: unknown[] = [];
  for (const input of inputs) {
    const outcome = await tool.checkInput(input).catch(() => ({ problem: 'it throws' }));
    if ('input' in outcome) fitting.push(outcome.input);
  }
  return fitting;
}
