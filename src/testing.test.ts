import { expect, test } from 'vitest';
import { openBench } from './app/conformance/open-bench.ts';
import { USUAL_LIMITS } from './conformance/bench.ts';
import { Examination } from './conformance/examination.ts';
import { CHECK_IDS, type CheckId } from './conformance/finding.ts';
import { ownSamples } from './conformance/own-samples.ts';
import { checkDescription } from './conformance/description.ts';
import { checkParameters } from './conformance/parameters.ts';
import { checkPortable } from './conformance/portable.ts';
import { createCallTool } from './mcp/client/call-tool.ts';
import { createFindTool } from './mcp/client/find-tool.ts';
import { createUpdateTodoTool } from './tools/update-todo.ts';
import { TodoList } from './core/todo-list.ts';
import { createReadFileTool } from './tools/read-file.ts';
import { testTool } from './testing.ts';

// All of ours are tried in the long run; these two stand for what a user's own test file does.
testTool(createReadFileTool(), { limits: { fuzzRuns: 40, trialRuns: 2, settleMs: 50 } });
testTool(createUpdateTodoTool(new TodoList()), { limits: { fuzzRuns: 40, trialRuns: 2, settleMs: 50 } });

test('what is seen of the built-in tools without a call is sound', async () => {
  const bench = openBench({ environment: process.env, rules: [] });
  const tools = bench.registry.list();
  const otherNames = tools.map(({ name }) => name);
  const checks: readonly CheckId[] = CHECK_IDS.slice(0, CHECK_IDS.indexOf('runs'));
  const findings: string[] = [];
  for (const tool of tools) {
    const given = {
      otherNames,
      ...ownSamples(tool.name, bench.cwd),
      trustsPatterns: true,
      limits: { ...USUAL_LIMITS, fuzzRuns: 40 },
    };
    const examination = new Examination({ tool, bench, ...given });
    for (const id of checks) findings.push(...(await examination.check(id)).findings.map(({ what }) => `${tool.name}: ${what}`));
  }
  await bench.close();
  for (const tool of [
    createCallTool(),
    createFindTool({ registry: bench.registry, servers: ['calc'], missing: async () => [] }),
  ]) {
    const told = [checkDescription(tool, ['FindTool', 'CallTool']), checkParameters(tool), checkPortable(tool)];
    findings.push(...told.flatMap((verdict) => verdict.findings.map(({ what }) => `${tool.name}: ${what}`)));
  }
  expect([findings, tools.length]).toEqual([[], 15]);
});
