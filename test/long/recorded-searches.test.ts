import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../agent-harness.ts';
import { textOf } from '../../src/core/message.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createLocalSearch } from '../../src/host/search/local-search.ts';
import { createGlobTool } from '../../src/tools/glob.ts';
import { createGrepTool } from '../../src/tools/grep.ts';

const RECORDS = join(import.meta.dirname, '../../../shared/cases/calls.jsonl.gz');
const AT_ONCE = 8;

interface RecordedCall {
  readonly tool: string;
  readonly input: { readonly pattern?: string; readonly multiline?: boolean; readonly '-i'?: boolean };
}

const calls: readonly RecordedCall[] = existsSync(RECORDS)
  ? gunzipSync(readFileSync(RECORDS))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordedCall)
  : [];

let project: TestProject;
beforeAll(() => {
  project = createProject({
    'src/a.ts': 'export function createAgent(options) {\n  return call(options[0]);\n}\n',
    'README.md': '# Title\n\n- item\n',
  });
});
afterAll(() => project.remove());

function distinct(tool: string): RecordedCall['input'][] {
  return [
    ...new Map(
      calls.filter((call) => call.tool === tool && call.input.pattern !== undefined).map(({ input }) => [input.pattern, input]),
    ).values(),
  ];
}

/** Runs each input and gathers the answers that are errors: pattern and words. */
async function errorsOf(
  tool: ReturnType<typeof createGrepTool> | ReturnType<typeof createGlobTool>,
  inputs: readonly object[],
): Promise<string[]> {
  const context = {
    cwd: project.root,
    files: createLocalFiles({ tracksSeen: false }),
    search: createLocalSearch(),
    signal: new AbortController().signal,
  } as unknown as ToolContext;
  const run = tool.execute;
  const errors: string[] = [];
  const left = [...inputs];
  const worker = async (): Promise<void> => {
    for (let input = left.pop(); input !== undefined; input = left.pop()) {
      const problem = tool.validateInput(input as never, { cwd: project.root });
      const result = problem === null ? await run(context, input as never) : null;
      if (result === null) errors.push(`${JSON.stringify(input)}: ${problem}`);
      else if (result.isError) errors.push(`${JSON.stringify(input)}: ${textOf(result.content)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return errors;
}

describe.skipIf(calls.length === 0)('searches recorded from real sessions (skipped where ../shared/cases is absent)', () => {
  test('every pattern runs, or is answered with how to write it', { timeout: 900_000 }, async () => {
    const inputs = distinct('Grep').map(({ pattern, multiline = false, '-i': ignoreCase = false }) => ({
      pattern,
      multiline,
      ignore_case: ignoreCase,
    }));
    const errors = await errorsOf(createGrepTool(), inputs);
    expect(inputs.length).toBeGreaterThan(1500);
    expect(errors.filter((error) => !/write|escape|literal|Rust|lookaround|backreference/i.test(error))).toEqual([]);
    // Most models write what this engine understands.
    expect(errors.length).toBeLessThan(inputs.length * 0.02);
  });

  test('every glob runs', { timeout: 900_000 }, async () => {
    const inputs = distinct('Glob').map(({ pattern }) => ({
      pattern: pattern?.startsWith('/') === true ? `${project.root}/${pattern.split('/').at(-1)}` : pattern,
    }));
    expect(inputs.length).toBeGreaterThan(500);
    expect(
      await errorsOf(
        createGlobTool(),
        inputs.filter(({ pattern }) => pattern?.startsWith('~') !== true && pattern?.startsWith('..') !== true),
      ),
    ).toEqual([]);
  });
});
