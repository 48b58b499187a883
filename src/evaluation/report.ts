import type { Usage } from '../core/model.ts';
import { type Comparison, compareWordings } from './compare.ts';
import { type Judged, rowOf } from './judge.ts';
import type { Random } from './random.ts';
import type { Run } from './run-tasks.ts';
import { type Interval, wilsonInterval } from './statistics.ts';
import { NO_CALL } from './task.ts';

/** A share of tasks, with its 95 % interval by Wilson. */
export interface Share {
  readonly right: number;
  readonly count: number;
  readonly interval: Interval;
}

/** How well one tool is found. */
export interface ToolScore {
  readonly tool: string;
  readonly rightTool: Share;
  /** Of the calls that chose the tool rightly. */
  readonly rightArguments: Share;
}

/** How well the tools are found with one wording. */
export interface WordingScore {
  readonly wording: string;
  readonly rightTool: Share;
  readonly rightArguments: Share;
  readonly byTool: readonly ToolScore[];
  readonly byLanguage: readonly { readonly language: string; readonly rightTool: Share }[];
  /** How often a tool (a row) was answered by another (a column). */
  readonly confusion: {
    readonly rows: readonly string[];
    readonly columns: readonly string[];
    readonly counts: readonly (readonly number[])[];
  };
  readonly mistakes: readonly Mistake[];
  /** Asked, and not answered: neither right nor wrong. */
  readonly unanswered: number;
}

export interface Mistake {
  readonly id: string;
  readonly prompt: string;
  readonly expected: string;
  readonly chosen: string;
  readonly fault: string | null;
  readonly input: unknown;
}

export interface EvaluationReport {
  readonly model: string;
  readonly toolNames: string;
  readonly seed: number;
  readonly tasks: number;
  readonly rounds: number;
  readonly usage: Usage;
  readonly cost: number | null;
  readonly wordings: readonly WordingScore[];
  readonly comparison: Comparison | null;
  /** What the person should know of how it went. */
  readonly notices: readonly string[];
}

/** Adds up the runs of one wording. */
export function scoreWording(wording: string, runs: readonly Run[], toolOrder: readonly string[]): WordingScore {
  const own = runs.filter((run) => run.wording === wording);
  const judged = own.flatMap((run) => (run.judged === null ? [] : [run.judged]));
  const tools = [...toolOrder, NO_CALL].filter((tool) => judged.some((one) => rowOf(one) === tool));
  const languages = [...new Set(judged.map(({ task }) => task.language))];
  return {
    wording,
    rightTool: shareOf(judged, ({ isRightTool }) => isRightTool),
    rightArguments: argumentsOf(judged),
    byTool: tools.map((tool) => {
      const row = judged.filter((one) => rowOf(one) === tool);
      return { tool, rightTool: shareOf(row, ({ isRightTool }) => isRightTool), rightArguments: argumentsOf(row) };
    }),
    byLanguage: languages.map((language) => ({
      language,
      rightTool: shareOf(
        judged.filter(({ task }) => task.language === language),
        ({ isRightTool }) => isRightTool,
      ),
    })),
    confusion: confusionOf(judged, tools, toolOrder),
    mistakes: judged.filter(({ isRightTool, hasRightArguments }) => !isRightTool || hasRightArguments === false).map(mistakeOf),
    unanswered: own.length - judged.length,
  };
}

/** Compares where there are two. */
export function comparisonOf(runs: readonly Run[], wordings: readonly string[], random: Random): Comparison | null {
  const [first, second] = wordings;
  return first === undefined || second === undefined ? null : compareWordings(runs, [first, second], random);
}

function argumentsOf(judged: readonly Judged[]): Share {
  return shareOf(
    judged.filter(({ isRightTool }) => isRightTool),
    ({ hasRightArguments }) => hasRightArguments === true,
  );
}

function shareOf(judged: readonly Judged[], isRight: (one: Judged) => boolean): Share {
  const right = judged.filter(isRight).length;
  return { right, count: judged.length, interval: wilsonInterval(right, judged.length) };
}

function confusionOf(
  judged: readonly Judged[],
  rows: readonly string[],
  toolOrder: readonly string[],
): WordingScore['confusion'] {
  const chosen = new Set(judged.map((one) => one.chosen));
  const known = [...toolOrder, NO_CALL].filter((tool) => rows.includes(tool) || chosen.has(tool));
  const columns = [...known, ...[...chosen].filter((name) => !known.includes(name)).toSorted()];
  const counts = rows.map((row) =>
    columns.map((column) => judged.filter((one) => rowOf(one) === row && one.chosen === column).length),
  );
  return { rows, columns, counts };
}

function mistakeOf({ task, chosen, isRightTool, fault, input }: Judged): Mistake {
  const expected = task.expect.map(({ tool }) => tool).join(' or ') || NO_CALL;
  return { id: task.id, prompt: task.prompt, expected, chosen, fault: isRightTool ? fault : null, input };
}
