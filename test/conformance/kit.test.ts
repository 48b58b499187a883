import { describe, expect, test } from 'vitest';
import { openBench } from '../../src/app/conformance/open-bench.ts';
import { type TrialLimits, USUAL_LIMITS } from '../../src/conformance/bench.ts';
import { Examination } from '../../src/conformance/examination.ts';
import { CHECK_IDS, type CheckId } from '../../src/conformance/finding.ts';
import type { Tool } from '../../src/core/tool.ts';
import { REFINED, SEEDED_DEFECTS } from './seeded-defects.ts';
import { SOUND_TOOLS } from './sound-tools.ts';

// Little is made up, so that many can be tried; the times are long, since this machine may be busy.
const LIMITS: TrialLimits = { ...USUAL_LIMITS, fuzzRuns: 60, trialRuns: 3, deadlineMs: 20_000, stopMs: 10_000, settleMs: 60 };
const WITHOUT_CALLS: readonly CheckId[] = CHECK_IDS.slice(0, CHECK_IDS.indexOf('runs'));

async function findingsOf(tool: Tool, checks: readonly CheckId[], limits: Partial<TrialLimits> = {}): Promise<readonly string[]> {
  const bench = openBench({ environment: process.env, rules: [] });
  try {
    const names = tool.name === 'CountLines' ? ['notes.md', 'big.log', 'not/there.txt'] : [];
    const examination = new Examination({
      tool,
      bench,
      samples: names.map((name) => ({ path: `${bench.cwd}/${name}` })),
      slowInput: null,
      otherNames: ['ReadFile', 'Glob', 'Bash', 'EditFile'],
      trustsPatterns: true,
      limits: { ...LIMITS, ...limits },
    });
    const findings: string[] = [];
    for (const id of checks) findings.push(...(await examination.check(id)).findings.map(({ what }) => `${id}: ${what}`));
    return findings;
  } finally {
    await bench.close();
  }
}

describe('the kit', () => {
  test.each(SOUND_TOOLS.map((tool) => [tool.name, tool] as const))('finds nothing in %s, which is sound', async (_name, tool) => {
    expect(await findingsOf(tool, CHECK_IDS)).toEqual([]);
  });

  test.each(SEEDED_DEFECTS.map((defect) => [defect.kind, defect] as const))(
    'finds a tool that %s, and blames it for nothing else',
    async (_kind, { tool, check, says, limits }) => {
      // What is seen without a call cannot be wrong in the calls, which are the same for all of these.
      const checks = WITHOUT_CALLS.includes(check) ? WITHOUT_CALLS : CHECK_IDS;
      expect(await findingsOf(tool, checks, limits)).toEqual([
        expect.stringMatching(new RegExp(`^${check}: .*${says.source}`, 's')),
      ]);
    },
  );

  test('finds a refinement that the schema of a library does not tell', async () => {
    expect(await findingsOf(REFINED, ['agreement'])).toEqual([expect.stringContaining('must not hold an e')]);
  });
});
