import kinds from './file-kinds.json' with { type: 'json' };
import { GLOB, unmark } from './marks.ts';
import { isExtension } from './path-words.ts';
import type { Utterance } from './utterance.ts';

/** Files of a kind: the glob that finds them, and how the person called them. */
export interface FileKind {
  readonly glob: string;
  readonly label: string;
}

const FILE_NOUN =
  '(?:source |code )?(?:files?|scripts?|modules?|documents?|docs?|sources?|pages?|components?|sheets?|configs?|code)\\b';
const FILE_NOUN_ZH = '(?:源|代码|脚本|格式的?|类型的?|后缀的?)*(?:文件(?!夹)|脚本|文档|模块|代码|源码|页面|组件)';
const NOT_KINDS = new Set(
  'all the any some every each many of that those these which what other more big large new old same such source this two few most my our no and project changed in'.split(
    ' ',
  ),
);

/** The kind of files that a request is about ("ts files", "*.md", "files ending in .py", 测试文件), or null. */
export function fileKindIn(utterance: Utterance): FileKind | null {
  return globIn(utterance) ?? suffixIn(utterance.lower) ?? knownKindIn(utterance.lower) ?? extensionKindIn(utterance.lower);
}

function globIn(utterance: Utterance): FileKind | null {
  const found = new RegExp(GLOB).exec(utterance.text);
  if (found === null) return null;
  const glob = unmark(utterance, found[0]);
  return { glob: glob.includes('/') ? glob : `**/${glob}`, label: glob };
}

const SUFFIX =
  /(?:extensions?|end(?:s|ing)? (?:in|with)|suffix(?:es)?|后缀名?|扩展名|以)\s*(?:is|of|为|是|:|：)?\s*["'`]?\.?((?:[a-z0-9]+\.)?[a-z0-9]{1,8})(?:\s*(?:结尾|为后缀))?(?![a-z])/;

function suffixIn(lower: string): FileKind | null {
  const suffix = SUFFIX.exec(lower)?.[1];
  return suffix === undefined || !isExtension(suffix.split('.').at(-1) ?? '')
    ? null
    : { glob: `**/*.${suffix}`, label: `.${suffix}` };
}

function knownKindIn(lower: string): FileKind | null {
  for (const kind of kinds) {
    const name = kind.names.find((candidate) => isNamed(lower, candidate, kind.isNoun === true));
    if (name === undefined) continue;
    const short = (kind.short as Readonly<Record<string, string>> | undefined)?.[name];
    return { glob: short ?? kind.glob, label: name };
  }
  return null;
}

function isNamed(lower: string, name: string, isNoun: boolean): boolean {
  // No pattern is made for a name that is not there: there are hundreds.
  if (!lower.includes(name)) return false;
  const escaped = name.replaceAll(/[+#]/g, '\\$&');
  if (/\p{Script=Han}/u.test(name))
    return new RegExp(
      `${escaped}${FILE_NOUN_ZH}${isNoun ? '|(?:哪些|所有|全部|多少[个张]?|几[个张]|有没有|没有|有)' + escaped : ''}`,
    ).test(lower);
  const noun =
    isNoun && name.endsWith('s')
      ? `|\\b(?:all|the|any|every|find|list|which) (?:the )?${escaped}\\b(?! (?:pass|fail|run|command|suite))`
      : '';
  return new RegExp(`(?<![\\w.-])\\.?${escaped}(?:[- ]${FILE_NOUN}|\\s*${FILE_NOUN_ZH})${noun}`).test(lower);
}

function extensionKindIn(lower: string): FileKind | null {
  const dotted = /(?:^|[^\w.])\.([a-z][a-z0-9]{0,9})\b(?!\.)/.exec(lower)?.[1];
  if (dotted !== undefined && isExtension(dotted)) return { glob: `**/*.${dotted}`, label: `.${dotted}` };
  const before = new RegExp(`(?<![\\w.-])([a-z][a-z0-9]{0,9})(?: (?:${FILE_NOUN})|\\s*${FILE_NOUN_ZH})`).exec(lower)?.[1];
  if (before === undefined || NOT_KINDS.has(before) || !isExtension(before)) return null;
  return { glob: `**/*.${before}`, label: `.${before}` };
}
