import fc from 'fast-check';
import type { Subject } from './bench.ts';
import { FIXTURE_PATHS } from './fixture.ts';
import { valuesOf } from './made-inputs.ts';

/** Inputs as the tool itself takes them: its samples first, then made-up ones. The same seed gives the same. */
export async function fittingInputs(subject: Subject, count: number): Promise<readonly unknown[]> {
  return checked(subject, [...subject.samples, ...madeInputs(subject, count)]);
}

/** Inputs made from the schema, most of which fit. */
export function madeInputs({ tool, bench, trustsPatterns, limits }: Subject, count: number): readonly unknown[] {
  const paths = FIXTURE_PATHS.map((path) => `${bench.cwd}/${path}`);
  const made = valuesOf(tool.inputSchema, { paths: [bench.cwd, ...paths], trustsPatterns });
  return fc.sample(made, { seed: limits.seed, numRuns: count });
}

async function checked({ tool }: Subject, inputs: readonly unknown[]): Promise<readonly unknown[]> {
  const outcomes = await Promise.all(inputs.map((input) => tool.checkInput(input).catch(() => ({ problem: 'it throws' }))));
  return outcomes.flatMap((outcome) => ('input' in outcome ? [outcome.input] : []));
}
