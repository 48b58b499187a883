import { commandIn } from './command-words.ts';
import { hasCue } from './cues.ts';
import { namedHintIn } from './file-hint.ts';
import { looksLikeFolder } from './path-words.ts';
import programs from './programs.json' with { type: 'json' };
import type { Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "run the tests", "do the tests pass?" and their like. */
export function recogniseTest(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  if (hasCue(lower, 'howTo') || hasCue(lower, 'count') || hasCue(lower, 'notRunning')) return null;
  const names = hasCue(lower, 'test') || testFileIn(utterance) !== null;
  const isOrder = hasCue(lower, 'testOrder') || (names && hasCue(lower, 'runVerb'));
  const asksOutcome = hasCue(lower, 'test') && hasCue(lower, 'testOutcome') && hasCue(lower, 'checks');
  return isOrder || asksOutcome ? { score: 80, task: { intent: 'test', path: testFileIn(utterance) } } : null;
}

/** Understands commands: quoted or plain ("run `npm run lint`", "执行 ls -la"), files to run, and work on files that only a command can do. */
export function recogniseRun(utterance: Utterance): Guess | null {
  const command = commandIn(utterance) ?? fileCommandIn(utterance);
  return command === null ? null : { score: 82, task: { intent: 'run', command } };
}

/** Understands the names of package scripts: "build the project", "run lint", 跑一下类型检查. */
export function recogniseScript(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  const isOrdered = /^(?:run|execute|运行|执行|跑)/.test(lower);
  if (
    (hasCue(lower, 'howTo') && !isOrdered) ||
    utterance.paths.length > 0 ||
    /\b(?:what|which|where|find|show|list|search)\b|什么|哪/.test(lower)
  )
    return null;
  const named =
    /\b(?:run|execute)\s+(?:the\s+)?(?:npm\s+)?["'`]?([\w:-]+)["'`]?\s+(?:script|task)\b/.exec(lower)?.[1] ??
    /(?:运行|执行|跑)(?:一下|下)?\s*([\w:-]+)\s*(?:脚本|任务)/.exec(lower)?.[1];
  if (named !== undefined) return { score: 83, task: { intent: 'script', names: [named] } };
  const known = programs.scripts.find((script) => new RegExp(script.cue, 'i').test(lower));
  const isOrder = hasCue(lower, 'runVerb') || hasCue(lower, 'scriptOrder');
  return known !== undefined && isOrder ? { score: 76, task: { intent: 'script', names: known.names } } : null;
}

function testFileIn(utterance: Utterance): string | null {
  const path = utterance.paths.find((mark) => /[._-](?:test|spec)\.|(?:^|\/)test_|_test\./.test(mark.text));
  return path?.text ?? null;
}

// "run hello.py", "delete a.txt", "rename a.txt to b.txt", "make a folder docs"
function fileCommandIn(utterance: Utterance): string | null {
  const { lower } = utterance;
  const [first, second] = utterance.paths.map((mark) => mark.text);
  const folder =
    /\b(?:create|make|add|new)\b.*\b(?:folder|directory|dir)\s+(?:called\s+|named\s+)?([\w./-]+)$/.exec(lower)?.[1] ??
    /(?:新建|创建|建)(?:一个|个)?(?:名为|叫做?)?\s*([\w./-]+)\s*(?:的)?(?:目录|文件夹)$/.exec(lower)?.[1] ??
    /(?:新建|创建|建)(?:一个|个)?(?:目录|文件夹)\s*(?:叫做?|名为)?\s*([\w./-]+)$/.exec(lower)?.[1];
  if (
    folder !== undefined ||
    (first !== undefined &&
      /\b(?:create|make)\b.*\b(?:folder|directory)\b|(?:新建|创建|建)(?:一个|个)?.*(?:目录|文件夹)/.test(lower) &&
      looksLikeFolder(first))
  )
    return `mkdir -p ${quoted(folder ?? first ?? '')}`;
  if (first === undefined) return null;
  if (second !== undefined && utterance.paths.length === 2 && MOVE.test(lower))
    return `${/\bcopy|复制|拷贝/.test(lower) ? 'cp' : 'mv'} ${quoted(first)} ${quoted(second)}`;
  if (utterance.paths.length === 1 && DELETE_FILE.test(lower)) return `rm ${quoted(first)}`;
  const interpreter = (programs.interpreters as Readonly<Record<string, string>>)[first.split('.').at(-1) ?? ''];
  const runs = RUN_FILE.test(lower) && namedHintIn(utterance) !== null && testFileIn(utterance) === null;
  return runs && interpreter !== undefined ? `${interpreter} ${quoted(first)}` : null;
}

const P = '[\\uE100-\\uE1FF]';
const MOVE = new RegExp(
  `^(?:rename|move|copy|mv|cp)\\s+(?:the\\s+)?(?:file\\s+)?${P}\\s+(?:to|into|as)\\s+${P}|^(?:把|将)?(?:文件)?\\s*${P}\\s*(?:文件)?(?:重命名为|重命名成|改名为|改名成|移动到|移到|复制到|复制成|复制为|拷贝到)\\s*${P}`,
);
const DELETE_FILE = new RegExp(
  `^(?:delete|remove|erase|rm)\\s+(?:the\\s+)?(?:file\\s+)?${P}(?:\\s+file)?$|^(?:把|将)?(?:文件)?\\s*${P}\\s*(?:这个)?(?:文件)?(?:删除|删掉|删了)$|^(?:删除|删掉)(?:文件)?\\s*${P}(?:文件)?$`,
);
const RUN_FILE = new RegExp(
  `\\b(?:run|execute|launch|start)\\s+(?:the\\s+)?(?:file\\s+|script\\s+|program\\s+)?${P}|(?:运行|执行|跑)(?:一下|下)?(?:文件|脚本)?\\s*${P}|(?:把|将)\\s*${P}\\s*(?:运行|执行|跑)`,
);

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
