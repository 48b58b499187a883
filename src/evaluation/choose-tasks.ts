import type { Tool } from '../core/tool.ts';
import { seededRandom, shuffled } from './random.ts';
import { type EvaluationTask, ownTool } from './task.ts';

/** Which tasks are asked. Empty lists take all; a limit of null is none. */
export interface TaskChoice {
  readonly only: readonly string[];
  readonly languages: readonly string[];
  readonly limit: number | null;
  readonly seed: number;
}

/** The chosen tasks that can be answered with these tools, in their order, and what is left out, in words. A limit takes tasks of all tools alike. */
export function chooseTasks(
  tasks: readonly EvaluationTask[],
  { only, languages, limit, seed }: TaskChoice,
  tools: readonly Tool[],
): { readonly tasks: readonly EvaluationTask[]; readonly left: readonly string[] } {
  const names = new Set(tools.map(({ name }) => name));
  const isWanted = (task: EvaluationTask): boolean =>
    (only.length === 0 || only.includes(ownTool(task))) && (languages.length === 0 || languages.includes(task.language));
  const wanted = tasks.filter(isWanted);
  const possible = wanted.filter(({ expect }) => expect.every(({ tool }) => names.has(tool)));
  const missing = [...new Set(wanted.flatMap(({ expect }) => expect.map(({ tool }) => tool)))].filter((tool) => !names.has(tool));
  const count = wanted.length - possible.length;
  return {
    tasks: limit === null || limit >= possible.length ? possible : spread(possible, limit, seed),
    left: count === 0 ? [] : [`${count} tasks are left out, since there is no tool ${missing.join(', ')} here.`],
  };
}

/** One task of each tool in turn. */
function spread(tasks: readonly EvaluationTask[], limit: number, seed: number): readonly EvaluationTask[] {
  const random = seededRandom(seed);
  const rows = [...Map.groupBy(tasks, ownTool).values()].map((row) => shuffled(row, random));
  const longest = Math.max(...rows.map((row) => row.length));
  const inTurn = Array.from({ length: longest }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat();
  const chosen = new Set(inTurn.slice(0, limit));
  return tasks.filter((task) => chosen.has(task));
}
