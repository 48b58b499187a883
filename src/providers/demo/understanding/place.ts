import { marksIn, PATH } from './marks.ts';
import { lineRangeIn } from './line-range.ts';
import { looksLikeFolder } from './path-words.ts';
import type { Utterance } from './utterance.ts';

/** Where a change is to happen, and the request without the words that say so. */
export interface Place {
  readonly files: readonly string[];
  readonly line: number | null;
  readonly rest: string;
}

/** Cuts "in F", "F 里的", "on line 3" and "everywhere in the project" out of a request. */
export function placeIn(utterance: Utterance): Place {
  const { rest: withoutLine, line } = withoutLineWords(utterance.text);
  for (const [pattern, kept] of FILE_PHRASES) {
    const found = [...withoutLine.matchAll(pattern)].findLast((match) => filesIn(utterance, match[2] ?? '').length > 0);
    if (found === undefined) continue;
    const before = withoutLine.slice(0, found.index);
    const rest = `${before}${kept === 'verb' ? (found[1] ?? '') : ' '}${withoutLine.slice(found.index + found[0].length)}`;
    return { files: filesIn(utterance, found[2] ?? ''), line, rest: trimmed(rest) };
  }
  return { files: [], line, rest: trimmed(withoutLine.replace(VAGUE_PLACE, ' ').replace(VAGUE_PLACE_ZH, '$1')) };
}

const PATHS = `${PATH}(?:\\s*(?:,|，|、|and|和|以及|与|跟)\\s*${PATH})*`;

// The second group is the file, or several. Chinese puts it after 把, which belongs to what follows and is kept.
const FILE_PHRASES: readonly (readonly [RegExp, 'verb' | 'nothing'])[] = [
  [new RegExp(`(\\s*[，,;；]\\s*(?:文件名?|位置|file)\\s*(?:就?是|为|叫|is|[:：])?\\s*)(${PATHS})`, 'gi'), 'nothing'],
  [new RegExp(`(\\s*[（(]\\s*(?:in|在)?\\s*)(${PATHS})\\s*(?:里|中)?\\s*[）)]`, 'g'), 'nothing'],
  [
    new RegExp(
      `(,?\\s*\\b(?:in|inside(?:\\s+of)?|within|throughout|across)\\s+(?:the\\s+|my\\s+|our\\s+)?(?:files?\\s+)?(?:called\\s+|named\\s+)?)(${PATHS})(?:\\s+file\\b)?`,
      'gi',
    ),
    'nothing',
  ],
  [
    new RegExp(
      `((?:把|将)?\\s*)(?:(?:在|从)\\s*)?(?:文件\\s*)?(${PATHS})\\s*(?:这个)?(?:文件)?(?:的)?(?:标题|正文|开头|结尾|内容|代码|文字|文本|注释)?\\s*(?:里面|里边|里头|里|中|当中|内|上)的?[，,、]?\\s*`,
      'g',
    ),
    'verb',
  ],
  [new RegExp(`((?:把|将)\\s*)(?:文件\\s*)?(${PATHS})\\s*(?:这个)?(?:文件)?\\s*的\\s*`, 'g'), 'verb'],
  [
    new RegExp(
      `^((?:修改|更新|调整)?\\s*)(?:for\\s+|对\\s*|编辑\\s*|(?:edit|open|update|modify|change|fix)\\s+|打开\\s*)?(${PATHS})\\s*(?:文件)?\\s*(?:[:：,，的]|and\\b|(?=so\\b)|\\s)\\s*`,
      'g',
    ),
    'verb',
  ],
  [new RegExp(`(,?\\s*\\b(?:from|of|on|at)\\s+(?:the\\s+|my\\s+)?(?:file\\s+)?)(${PATHS})(?:\\s+file\\b)?`, 'gi'), 'nothing'],
  [new RegExp(`(\\s*)(?<!\\uE000)(${PATHS})\\s*(?:文件)?\\s*的\\s*`, 'g'), 'nothing'],
];

const VAGUE_PLACE =
  /,?\s*\b(?:in|inside|within|from|throughout|across|of)\s+(?:it|there|here|(?:this|that|the same|the) file|(?:the |this |that |our |my |whole |entire |all (?:the |of the )?)*(?:project|repo|repository|codebase|code base|code|files|workspace)|(?:the )?(?:config(?:uration)?|settings|readme|changelog|license|env|package|manifest)(?: file)?)\b/i;
const VAGUE_PLACE_ZH =
  /((?:把|将)?\s*)(?:在)?(?:(?:这|那|该|此|同一)个?文件|它|配置文件|文件|整个项目|整个仓库|项目|所有文件|代码库|代码|仓库|工程)(?:里面|里|中|内)?的?\s*(?=\S)/;
const LINE_WORDS =
  /,?\s*\b(?:on|at|in)\s+(?:line\s*#?\d+|the (?:first|last) line)\b|\s*(?:在)?(?:第\s*[\d一二三四五六七八九十百]+\s*行|最后一行|首行|末行)(?:里|中|上)?的?/i;

function withoutLineWords(text: string): { readonly rest: string; readonly line: number | null } {
  const found = LINE_WORDS.exec(text);
  if (found === null) return { rest: text, line: null };
  // What followed the file with its line follows the file alone: F 第 3 行的 X is F 里的 X.
  const isAfterFile = new RegExp(`${PATH}\\s*$`).test(text.slice(0, found.index)) && /行/.test(found[0]);
  const rest = text.slice(0, found.index) + (isAfterFile ? '里的 ' : '') + text.slice(found.index + found[0].length);
  return { rest, line: lineRangeIn(found[0])?.from ?? null };
}

function filesIn(utterance: Utterance, fragment: string): readonly string[] {
  return marksIn(utterance, fragment)
    .map((mark) => mark.text)
    .filter((text) => !looksLikeFolder(text));
}

function trimmed(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').replace(/^[\s,，、。:：]+|[\s,，、。:：]+$/g, '');
}
