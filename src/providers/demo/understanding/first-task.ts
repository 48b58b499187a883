import { sourceOf } from './marks.ts';
import type { Background, Task } from './task.ts';
import { understand } from './understand.ts';
import { readUtterance } from './utterance.ts';

/** The task of a request that is done, the first where it is understood, and the words of what else it asks for; null where it asks for no more. */
export interface FirstTask {
  readonly task: Task;
  readonly rest: string | null;
}

/** Understands a request that may hold two tasks ("replace … and then run the tests"): rules do one at a time. */
export function firstTaskOf(text: string, background: Background): FirstTask {
  const whole = understand(text, background);
  const utterance = readUtterance(text);
  const joint = utterance.read === 'whole' ? JOINT.exec(utterance.text) : null;
  if (joint === null) return { task: whole, rest: null };
  const first = sourceOf(utterance, utterance.text.slice(0, joint.index));
  const rest = sourceOf(utterance, utterance.text.slice(joint.index + joint[0].length));
  const task = understand(first, background);
  const next = understand(rest, { ...background, lastFile: fileOf(task) ?? background.lastFile, lastTask: null });
  // Where only the second is understood it is the one that is done, and the first is what is left.
  if (!isAsked(task) && isAsked(next) && ACTS.has(whole.intent) && whole.intent === next.intent && !holdsAll(whole, first))
    return { task: whole, rest: first };
  const isOne = holdsAll(whole, rest) || REPORT.test(rest) || !isAsked(task) || !isAsked(next);
  return isOne ? { task: whole, rest: null } : { task, rest };
}

const JOINT =
  /[\s,;.]+(?:and\s+)?then\s+(?=\S)|[\s,;]+and\s+(?=(?:re-?)?(?:run|execute|test)\b)|[\s，,；;。]*(?:然后|接着|随后|之后再)[，,\s]*(?=\S)|[\s，,；;。]+(?:再|并且?)(?=运行|执行|跑)|\s*(?<!合)并(?=运行|执行|跑)/;
// To tell what came of the first is no second task.
const REPORT =
  /^(?:(?:show|tell|report|give|let|explain|see|paste|print|say|summari[sz]e)\b(?!.*[./]\w)|(?:把)?(?:看看|看一下|告诉我|给我看|总结|说说|结果|输出))/i;

const ACTS: ReadonlySet<Task['intent']> = new Set(['test', 'run', 'script', 'replace']);

// What is read may be several files, and what is written may have the words of a request in it.
function holdsAll(task: Task, rest: string): boolean {
  if (task.intent === 'create') return task.content.includes(rest);
  if (task.intent === 'replace') return task.to.includes(rest);
  return task.intent === 'tour' || (task.intent === 'read' && task.also.length > 0);
}

function isAsked(task: Task): boolean {
  return task.intent !== 'talk' || task.about === 'cannot' || task.about === 'nothing_before';
}

function fileOf(task: Task): string | null {
  if (task.intent === 'create') return task.path;
  return 'file' in task ? (task.file?.label ?? null) : null;
}
