import { namedHintIn } from './file-hint.ts';
import { PATH } from './marks.ts';
import { looksLikeFolder } from './path-words.ts';
import programs from './programs.json' with { type: 'json' };
import type { Utterance } from './utterance.ts';

/** The command for work on files that no tool but a shell can do, or null: "delete a.txt", "rename a.txt to b.txt", "run hello.py", "make a folder docs". */
export function fileCommandIn(utterance: Utterance): string | null {
  return newFolderCommand(utterance) ?? moveCommand(utterance) ?? deleteCommand(utterance) ?? interpreterCommand(utterance);
}

/** The test file that a request names, or null. */
export function testFileIn(utterance: Utterance): string | null {
  return utterance.paths.find((mark) => /[._-](?:test|spec)\.|(?:^|\/)test_|_test\./.test(mark.text))?.text ?? null;
}

const NEW_FOLDER = [
  /\b(?:create|make|add|new)\b.*\b(?:folder|directory|dir)\s+(?:called\s+|named\s+)?(?<name>[\w./-]+)$/i,
  /(?:新建|创建|建)(?:一个|个)?(?:名为|叫做?)?\s*(?<name>[\w./-]+)\s*(?:的)?(?:目录|文件夹)$/,
  /(?:新建|创建|建)(?:一个|个)?(?:目录|文件夹)\s*(?:叫做?|名为)?\s*(?<name>[\w./-]+)$/,
];
const ANY_NEW_FOLDER = /\b(?:create|make)\b.*\b(?:folder|directory)\b|(?:新建|创建|建)(?:一个|个)?.*(?:目录|文件夹)/;

function newFolderCommand({ text, lower, paths }: Utterance): string | null {
  const named = NEW_FOLDER.map((form) => form.exec(text)?.groups?.['name']).find((name) => name !== undefined);
  const path = ANY_NEW_FOLDER.test(lower) ? paths.find((mark) => looksLikeFolder(mark.text))?.text : undefined;
  const folder = named ?? path;
  return folder === undefined ? null : `mkdir -p ${quoted(folder)}`;
}

const BECOMES = '(?:重命名为|重命名成|改名为|改名成|移动到|移到|复制到|复制成|复制为|拷贝到)';
const MOVE = new RegExp(
  `^(?:rename|move|copy|mv|cp)\\s+(?:the\\s+)?(?:file\\s+)?${PATH}\\s+(?:to|into|as)\\s+${PATH}|^(?:把|将)?(?:文件)?\\s*${PATH}\\s*(?:文件)?${BECOMES}\\s*${PATH}`,
);

function moveCommand({ lower, paths }: Utterance): string | null {
  const [from, to, ...others] = paths;
  if (from === undefined || to === undefined || others.length > 0 || !MOVE.test(lower)) return null;
  const program = /\b(?:copy|cp)\b|复制|拷贝/.test(lower) ? 'cp' : 'mv';
  return `${program} ${quoted(from.text)} ${quoted(to.text)}`;
}

const DELETE = new RegExp(
  `^(?:delete|remove|erase|rm)\\s+(?:the\\s+)?(?:file\\s+)?${PATH}(?:\\s+file)?$|^(?:把|将)?(?:文件)?\\s*${PATH}\\s*(?:这个)?(?:文件)?(?:删除|删掉|删了)$|^(?:删除|删掉)(?:文件)?\\s*${PATH}(?:文件)?$`,
);

function deleteCommand({ lower, paths }: Utterance): string | null {
  const [path, ...others] = paths;
  return path !== undefined && others.length === 0 && DELETE.test(lower) ? `rm ${quoted(path.text)}` : null;
}

const RUN = new RegExp(
  `\\b(?:run|execute|launch|start)\\s+(?:the\\s+)?(?:file\\s+|script\\s+|program\\s+)?${PATH}|(?:运行|执行|跑)(?:一下|下)?(?:文件|脚本)?\\s*${PATH}|(?:把|将)\\s*${PATH}\\s*(?:运行|执行|跑)`,
);
const INTERPRETERS: Readonly<Record<string, string>> = programs.interpreters;

function interpreterCommand(utterance: Utterance): string | null {
  const path = namedHintIn(utterance)?.path ?? null;
  if (path === null || !RUN.test(utterance.lower) || testFileIn(utterance) !== null) return null;
  const interpreter = INTERPRETERS[path.split('.').at(-1) ?? ''];
  return interpreter === undefined ? null : `${interpreter} ${quoted(path)}`;
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
