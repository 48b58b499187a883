import type { Random } from './random.ts';
import type { Judged } from './judge.ts';
import type { Run } from './run-tasks.ts';
import { bootstrapInterval, holmAdjusted, type Interval, mcnemarExact, mean, signFlipTest } from './statistics.ts';
import { ownTool } from './task.ts';

/** Two wordings on the same tasks. Differences are the second's share less the first's. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  /** Tasks that both answered. */
  readonly pairs: number;
  readonly measures: readonly MeasuredDifference[];
  readonly byTool: readonly ToolDifference[];
}

export interface MeasuredDifference {
  readonly measure: 'right tool' | 'right tool and arguments';
  readonly difference: number;
  /** 95 %, by a paired bootstrap over tasks. */
  readonly interval: Interval;
  /** Runs that only one of them got right. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly chance: number;
  readonly test: 'exact McNemar test' | 'paired sign-flip test over tasks';
}

/** `chance` is adjusted for the number of tools, by Holm. */
export interface ToolDifference {
  readonly tool: string;
  readonly difference: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly chance: number;
}

interface Pair {
  readonly taskId: string;
  readonly tool: string;
  readonly first: { readonly tool: boolean; readonly all: boolean };
  readonly second: { readonly tool: boolean; readonly all: boolean };
}

/** Compares run by run; where each task was asked several times, its runs are not independent, and tasks are what is drawn. */
export function compareWordings(runs: readonly Run[], [first, second]: readonly [string, string], random: Random): Comparison {
  const pairs = pairsOf(runs, first, second);
  const isRepeated = new Set(pairs.map(({ taskId }) => taskId)).size < pairs.length;
  const measures = (['right tool', 'right tool and arguments'] as const).map((measure) =>
    measured(measure, pairs, { isRepeated, random }),
  );
  return { first, second, pairs: pairs.length, measures, byTool: differencesByTool(pairs, { isRepeated, random }) };
}

interface TestSetup {
  readonly isRepeated: boolean;
  readonly random: Random;
}

function measured(measure: MeasuredDifference['measure'], pairs: readonly Pair[], setup: TestSetup): MeasuredDifference {
  const key = measure === 'right tool' ? 'tool' : 'all';
  const differences = byTask(pairs, key);
  return {
    measure,
    difference: mean(differences),
    interval: bootstrapInterval(differences, setup.random),
    ...split(pairs, key),
    chance: chanceOf(pairs, key, setup),
    test: setup.isRepeated ? 'paired sign-flip test over tasks' : 'exact McNemar test',
  };
}

function differencesByTool(pairs: readonly Pair[], setup: TestSetup): readonly ToolDifference[] {
  const tools = [...new Set(pairs.map(({ tool }) => tool))];
  const rows = tools.map((tool) => {
    const own = pairs.filter((pair) => pair.tool === tool);
    return { tool, difference: mean(byTask(own, 'tool')), ...split(own, 'tool'), chance: chanceOf(own, 'tool', setup) };
  });
  const adjusted = holmAdjusted(rows.map(({ chance }) => chance));
  return rows.map((row, i) => ({ ...row, chance: adjusted[i] ?? 1 }));
}

function chanceOf(pairs: readonly Pair[], key: 'tool' | 'all', { isRepeated, random }: TestSetup): number {
  const { onlyFirst, onlySecond } = split(pairs, key);
  return isRepeated ? signFlipTest(byTask(pairs, key), random) : mcnemarExact(onlyFirst, onlySecond);
}

function split(pairs: readonly Pair[], key: 'tool' | 'all'): { readonly onlyFirst: number; readonly onlySecond: number } {
  return {
    onlyFirst: pairs.filter((pair) => pair.first[key] && !pair.second[key]).length,
    onlySecond: pairs.filter((pair) => !pair.first[key] && pair.second[key]).length,
  };
}

/** The mean difference of each task. */
function byTask(pairs: readonly Pair[], key: 'tool' | 'all'): readonly number[] {
  const tasks = new Map<string, number[]>();
  for (const pair of pairs) {
    const differences = tasks.get(pair.taskId) ?? [];
    differences.push(Number(pair.second[key]) - Number(pair.first[key]));
    tasks.set(pair.taskId, differences);
  }
  return [...tasks.values()].map(mean);
}

function pairsOf(runs: readonly Run[], first: string, second: string): readonly Pair[] {
  const others = new Map(runs.filter(({ wording }) => wording === second).map((run) => [placeOf(run), run]));
  return runs.flatMap((run) => {
    const other = others.get(placeOf(run));
    if (run.wording !== first || run.judged === null || other === undefined || other.judged === null) return [];
    return [{ taskId: run.task.id, tool: ownTool(run.task), first: rightness(run.judged), second: rightness(other.judged) }];
  });
}

function placeOf({ task, round }: Run): string {
  return `${task.id} ${round}`;
}

function rightness({ isRightTool, hasRightArguments }: Judged): Pair['first'] {
  return { tool: isRightTool, all: isRightTool && hasRightArguments === true };
}
