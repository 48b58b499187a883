import { unmark } from './marks.ts';
import type { Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "does this project use React?": whether a package is among the dependencies. */
export function recogniseDependency(utterance: Utterance): Guess | null {
  const text = unmark(utterance, utterance.text);
  const name = FORMS.map((form) => form.exec(text)?.groups?.['name']).find((found) => found !== undefined);
  return name === undefined || NO_PACKAGE.test(name) ? null : { score: 72, task: { intent: 'dependency', name } };
}

const NAME = String.raw`(?<name>@?[A-Za-z][\w./-]*)`;
const PROJECT = '(?:project|repo|repository|codebase|code ?base|app|application|package|code|program|library)';
const FORMS = [
  new RegExp(
    `^(?:(?:does|do|is|are) )?(?:(?:this|the|our|my) ${PROJECT}|it|we) (?:(?:currently|already|actually|even) )?(?:uses?|using|depends? on|depending on|requires?|needs?) ${NAME}(?: (?:as a dependency|anywhere|at all|already))?$`,
    'i',
  ),
  new RegExp(
    `^is ${NAME} (?:used|a dependency|among the dependencies|installed)(?: (?:in|by|of) (?:this|the|our|my) ${PROJECT}| here)?$`,
    'i',
  ),
  new RegExp(
    `^(?:这个|该|本|我们的?|当前)?(?:项目|工程|仓库|代码库|代码|应用|程序)(?:里|中|里面)?(?:有没有|是否|是不是)?(?:有)?(?:使用|用|依赖|引入)(?:了|到|过|没用)*(?:于)?\\s*${NAME}\\s*(?:了)?(?:吗|么|没有?)?$`,
  ),
];
const NO_PACKAGE = /^(?:a|an|the|any|tests?|which|what|it|this|that|these|git|dependencies|packages?|libraries|frameworks?)$/i;
