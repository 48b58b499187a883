import type { ProviderError } from '../core/errors.ts';
import { addUsage, NO_USAGE, type Usage } from '../core/model.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { askTask, type ModelSetup } from './ask-task.ts';
import { type Judged, judgeStep } from './judge.ts';
import { type Random, shuffled } from './random.ts';
import type { EvaluationTask } from './task.ts';

/** The tools in one wording. */
export interface Wording {
  readonly name: string;
  readonly registry: ToolRegistry;
}

/** One task, asked once with one wording. `judged` is null where no answer came. */
export interface Run {
  readonly task: EvaluationTask;
  readonly wording: string;
  readonly round: number;
  readonly judged: Judged | null;
  readonly error: ProviderError | null;
}

export interface RunRequest {
  readonly tasks: readonly EvaluationTask[];
  readonly wordings: readonly Wording[];
  /** How often each task is asked with each wording. */
  readonly rounds: number;
  readonly parallel: number;
  readonly setup: ModelSetup;
  readonly cwd: string;
  readonly random: Random;
  readonly signal: AbortSignal;
  onRun?(done: number, all: number): void;
}

export interface RunsOutcome {
  readonly runs: readonly Run[];
  readonly usage: Usage;
  /** Why it was given up, where going on would have been in vain. */
  readonly givenUp: ProviderError | null;
}

/** Asks every task with every wording. The order is mixed, so that what changes on the way changes for all wordings alike. */
export async function runTasks(request: RunRequest): Promise<RunsOutcome> {
  const { tasks, wordings, rounds, parallel, random, signal, onRun } = request;
  const plan = shuffled(
    Array.from({ length: rounds }, (_, round) => tasks.map((task) => ({ task, round }))).flat(),
    random,
  ).flatMap((asked) => shuffled(wordings, random).map((wording) => ({ ...asked, wording })));
  const runs: Run[] = [];
  let usage = NO_USAGE;
  let givenUp: ProviderError | null = null;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < plan.length && givenUp === null && !signal.aborted) {
      const planned = plan[next++];
      if (planned === undefined) return;
      const { task, round, wording } = planned;
      const step = await askTask(task.prompt, wording.registry.specs(), request.setup, signal);
      if (signal.aborted) return;
      const head = { task, round, wording: wording.name };
      if (step.type === 'failed') {
        runs.push({ ...head, judged: null, error: step.error });
        if (step.isFinal && runs.every(({ judged }) => judged === null)) givenUp = step.error;
      } else {
        usage = addUsage(usage, step.usage);
        runs.push({
          ...head,
          judged: await judgeStep(task, step, { registry: wording.registry, cwd: request.cwd }),
          error: null,
        });
      }
      onRun?.(runs.length, plan.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, plan.length) }, work));
  return { runs: inOrder(runs, tasks), usage, givenUp };
}

function inOrder(runs: readonly Run[], tasks: readonly EvaluationTask[]): readonly Run[] {
  const place = new Map(tasks.map(({ id }, i) => [id, i]));
  const placeOf = ({ task }: Run): number => place.get(task.id) ?? 0;
  return runs.toSorted((a, b) => placeOf(a) - placeOf(b) || a.round - b.round || (a.wording < b.wording ? -1 : 1));
}
