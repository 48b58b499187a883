import { afterAll, describe, test } from 'vitest';
import { openBench, type OpenedBench } from './app/conformance/open-bench.ts';
import { type TrialLimits, USUAL_LIMITS } from './conformance/bench.ts';
import { Examination } from './conformance/examination.ts';
import { CHECK_IDS, CHECKS } from './conformance/finding.ts';
import { ownSamples, placed } from './conformance/own-samples.ts';
import type { Tool } from './core/tool.ts';

/** How a tool is to be tried. */
export interface TestToolOptions {
  /** Inputs that make sense; `${cwd}` in a text is the folder that is made for the trial. A tool that destroys runs with these alone. */
  readonly samples?: readonly unknown[];
  /** An input that keeps the tool busy for a while, to see it stop. */
  readonly slowInput?: unknown;
  /** Tools that its description may send a model to. */
  readonly otherNames?: readonly string[];
  readonly limits?: Partial<TrialLimits>;
}

const TEST_TIMEOUT_MS = 60_000;

/** Makes a test of each check that `wield tool lint` makes, for vitest. To be called in a test file, outside of any test. */
export function testTool<I, M>(tool: Tool<I, M>, options: TestToolOptions = {}): void {
  describe(tool.name, () => {
    let opened: { readonly bench: OpenedBench; readonly examination: Examination } | null = null;
    const examination = (): Examination => {
      opened ??= open(tool, options);
      return opened.examination;
    };
    for (const id of CHECK_IDS)
      test(
        CHECKS[id],
        async (context) => {
          const { findings, skipped } = await examination().check(id);
          if (skipped !== null) context.skip(skipped);
          if (findings.length > 0) throw new Error(findings.map(({ what, remedy }) => `${what}\n${remedy}`).join('\n\n'));
        },
        TEST_TIMEOUT_MS,
      );
    afterAll(() => opened?.bench.close());
  });
}

function open<I, M>(tool: Tool<I, M>, { samples, slowInput, otherNames, limits }: TestToolOptions) {
  const bench = openBench({ environment: process.env, rules: [] });
  const known = ownSamples(tool.name, bench.cwd);
  const examination = new Examination({
    tool,
    bench,
    samples: placed(samples ?? known.samples, bench.cwd) as readonly unknown[],
    slowInput: placed(slowInput ?? known.slowInput, bench.cwd),
    otherNames: otherNames ?? bench.registry.list().map(({ name }) => name),
    trustsPatterns: tool.category !== 'mcp',
    limits: { ...USUAL_LIMITS, ...limits },
  });
  return { bench, examination };
}
