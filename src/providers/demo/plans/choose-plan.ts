import type { Plan } from '../plan.ts';
import type { Scene } from '../scene.ts';
import type { Task } from '../understanding/task.ts';
import { planCount } from './count.ts';
import { planCreate } from './create.ts';
import { planDependency } from './dependency.ts';
import { planDescribe } from './describe.ts';
import { planEntry } from './entry.ts';
import { planExplain } from './explain.ts';
import { planFind, planList } from './find.ts';
import { planRead } from './read.ts';
import { planReplace } from './replace.ts';
import { planGit, planRun, planScript, planTest } from './run.ts';
import { planDefinition, planSearch } from './search.ts';
import { planTalk } from './talk.ts';
import { planTour } from './tour.ts';
import { planValue } from './value.ts';

/** The plan for a task. */
export function choosePlan(scene: Scene, task: Task): Plan {
  switch (task.intent) {
    case 'read':
      return planRead(scene, task);
    case 'value':
      return planValue(scene, task);
    case 'find':
      return planFind(scene, task);
    case 'list':
      return planList(scene, task);
    case 'search':
      return planSearch(scene, task);
    case 'definition':
      return planDefinition(scene, task);
    case 'count':
      return planCount(scene, task);
    case 'replace':
      return planReplace(scene, task);
    case 'create':
      return planCreate(scene, task);
    case 'run':
      return planRun(scene, task);
    case 'script':
      return planScript(scene, task);
    case 'test':
      return planTest(scene, task);
    case 'git':
      return planGit(scene, task);
    case 'dependency':
      return planDependency(scene, task);
    case 'describe':
      return planDescribe(scene, task);
    case 'explain':
      return planExplain(scene, task);
    case 'entry':
      return planEntry(scene);
    case 'tour':
      return planTour(scene);
    case 'talk':
      return planTalk(scene, task);
  }
}
