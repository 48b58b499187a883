import { fileKindIn } from './file-kind.ts';
import { folderIn } from './folder-words.ts';
import { ANY_MARK, PATH, QUOTE, unmark } from './marks.ts';
import { looksLikeCode } from './name-words.ts';
import type { Utterance } from './utterance.ts';

/** What a request searches for. `isMarked`: quoted, or a name in code, so that there is no doubt about its bounds. */
export interface SearchTerm {
  readonly pattern: string;
  readonly label: string;
  readonly isRegex: boolean;
  readonly isMarked: boolean;
  /** It is the name of a file that others mention, not the file to search in. */
  readonly isFileName: boolean;
}

/** The text that a request wants found, or null. Literal text is escaped. */
export function searchTermIn(utterance: Utterance): SearchTerm | null {
  return quotedTerm(utterance) ?? pathTerm(utterance) ?? codeTerm(utterance) ?? termAfterLead(utterance);
}

/** A text as a regular expression that matches it and nothing else. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function quotedTerm(utterance: Utterance): SearchTerm | null {
  const mark = new RegExp(QUOTE).exec(utterance.text)?.[0];
  if (mark === undefined) return null;
  return termOf(utterance, unmark(utterance, mark), true);
}

const MENTIONED = new RegExp(
  `\\b(?:reference|mention|import|use|require|include|depend on|load|usage|call)(?:s|ing|d|ed)?(?:\\s+(?:of|to))?\\s+(?:the\\s+)?(?:file\\s+)?(${PATH})|(?:引用|导入|引入|用到|使用|提到|依赖|加载)了?\\s*(${PATH})|(${PATH})\\s*(?:在哪里?|都|是)*被(?:谁|哪些文件|哪里)?(?:引用|导入|引入|用到|使用|提到|依赖)`,
  'i',
);

function pathTerm(utterance: Utterance): SearchTerm | null {
  const mark = MENTIONED.exec(utterance.text)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (mark === undefined) return null;
  const name = unmark(utterance, mark).split('/').at(-1) ?? '';
  return { ...termOf(utterance, name, true), isFileName: true };
}

function codeTerm(utterance: Utterance): SearchTerm | null {
  const folder = folderIn(utterance);
  const found = [...utterance.text.matchAll(/(?<![\w.])[#$]?[A-Za-z_][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)*(?:\(\))?/g)];
  const codes = found.filter(([word]) => looksLikeCode(word) && word !== folder);
  const [first, ...rest] = codes.map(([word]) => (/^[A-Z]{2,}s$/.test(word) ? word.slice(0, -1) : word.replace(/\(\)$/, '')));
  if (first === undefined) return null;
  // "TODO and FIXME" is either of them.
  const isList = rest.length > 0 && /^[\s,，、/]*(?:and|or|和|或者?|以及)?[\s,，、/]*$/.test(betweenOf(utterance.text, codes));
  if (!isList) return termOf(utterance, first, true);
  const words = [first, ...rest];
  return { pattern: words.map(escaped).join('|'), label: words.join('|'), isRegex: true, isMarked: true, isFileName: false };
}

function betweenOf(text: string, [first, second]: readonly RegExpExecArray[]): string {
  return first === undefined || second === undefined ? '-' : text.slice(first.index + first[0].length, second.index);
}

function termOf(utterance: Utterance, text: string, isMarked: boolean): SearchTerm {
  const isRegex =
    /\b(?:regex(?:p)?|regular expression|pattern)\b|正则/.test(utterance.lower) ||
    (/\b(?:grep|rg)\b/.test(utterance.lower) && /\\[wdsb]|\.\*|\.\+|\||^\^|\$$|\[[^\]]+\]/.test(text));
  return { pattern: isRegex ? text : escaped(text), label: text, isRegex, isMarked, isFileName: false };
}

const NOUN =
  '(?:(?:the|all|any|every|each|some|a|an|for|of|my|our)\\s+|(?:words?|strings?|text|phrases?|terms?|functions?|class(?:es)?|variables?|constants?|types?|methods?|symbols?|identifiers?|keywords?|interfaces?|lines?|places?|comments?|code|occurrences?|usages?|uses?|references?|mentions?|instances?|calls?|imports?|definitions?|declarations?|implementations?)\\s+(?:of\\s+|to\\s+|for\\s+|named\\s+|called\\s+|with\\s+|where\\s+|that\\s+(?:say|says|contain|contains|mention|mentions|use|uses|include|includes|have|has)\\s+|containing\\s+|mentioning\\s+)?)*';
const LEADS = [
  `\\b(?:search(?:ing)?|look(?:ing)?|scan|grep|seek)\\b(?:\\s+(?!for\\b)\\S+){0,5}?\\s+for\\s+${NOUN}`,
  `\\b(?:grep|rg|ripgrep|search)\\s+${NOUN}`,
  `\\b(?:occurrences?|usages?|uses|references?|mentions?|instances?|callers|calls|definition|declaration|implementation|location)\\s+(?:of|to)\\s+${NOUN}`,
  `\\b(?:contain|contains|containing|mention|mentions|mentioning|include|includes|including|reference|references|referencing|import|imports|importing|use|uses|using|call|calls|calling|say|says)\\s+${NOUN}`,
  `\\bwhere(?:\\s+in\\s+(?:the|this|our)\\s+\\w+)?(?:'s|\\s+(?:is|are|do|does|did|can|was|were))(?:\\s+(?:we|i|you|it|they|the code|this project))?(?:\\s+(?:use|call|find|define|import|set|handle|see|declare|implement|mention))?\\s+${NOUN}`,
  `\\b(?:who|what|which \\w+)\\s+(?:uses|calls|imports|invokes|references|mentions|defines|implements|contains?)\\s+${NOUN}`,
  `\\bwhere\\s+(?=\\S+\\s+(?:is|are|gets?|was|were)\\b)${NOUN}`,
  `\\b(?:is|are)\\s+(?=\\S.*\\b(?:mentioned|used|referenced|called|imported|defined)\\b)${NOUN}`,
  `\\b(?:find|locate|show(?: me)?|list|get|count|how many(?: times)?|how often|number of)\\s+(?:(?:does|do|is|are|me|has|have)\\s+)?${NOUN}`,
].map((lead) => new RegExp(`${lead}(?<term>\\S.*)$`, 'i'));
const TERM_END =
  /,?\s+(?:(?:ignor\w+ case|case[- ]?insensitive|in|inside|under|within|across|throughout|through|from|over|among|anywhere|everywhere|at all|please|is|are|was|were|gets?|being|appears?|occurs?|shows?|defined|declared|used|called|implemented|imported|mentioned|referenced|located|happens?|handled|done|made|configured|set|stored|kept|happening|lives?|comes?|do|does|did|there|here|exists?|have|has|we|this|the (?:project|code|repo|codebase|source)|and (?:then )?(?:show|tell|list))\b.*|comments?|files?|(?<=\S\s+)[a-z]+ed)$/i;

const LEADS_ZH = [
  /(?:搜索|搜一下|搜一搜|搜搜|搜下|搜|检索|查找|查询|查一查|查一下|查查|找一下|找找|找一找|找出|找到|找|grep|全局查)(?:一下)?(?:代码|项目|仓库|整个项目)?(?:里|中)?(?:面)?(?:的)?\s*(?<term>\S.*)$/i,
  /(?:哪里|哪儿|哪些地方|哪些文件|哪个文件|哪些[^，。]{0,6}文件|哪些代码|什么地方|谁)(?:里面|里|中)?(?:的)?(?:有|还有|用到了?|用了|用过|使用了?|调用了?|引用了?|导入了?|定义了?|声明了?|实现了?|提到了?|提及了?|包含了?|含有|出现了?|写了|在调用|在用|在使用)\s*(?<term>\S.*)$/i,
  /(?:包含|含有|提到|提及|引用|出现|用到|带有|使用)(?:了|过)?\s*(?<term>\S.*?)(?:的|$)/i,
  /^(?:有)?(?:多少|几)(?:个|处|次|条|行)?\s*(?<term>\S.*)$/i,
  /^(?:这个|函数|变量|类|方法|常量|类型)*\s*(?<term>\S.*?)\s*(?:这个)?(?:函数|变量|类|方法|常量|类型|单词|词)?(?:(?:是|都|又)*(?:在|被|位于|写在|放在|出现在|来自|从)(?:哪里|哪儿|哪个文件|哪些文件|哪些地方|什么地方|何处|谁)|哪里|哪儿|出现|定义在|的定义|的实现|的用法|的引用)/i,
];
const TERM_END_ZH =
  /[\s，,]*(?:(?:忽略|不区?分)大小写|这个(?:单词|词|函数|变量|字符串|类|方法|字段|关键字|接口|类型)|(?:一|这)词|关键[字词]|的?(?:文件|地方|位置|代码|定义|实现|用法|引用|使用|声明|调用|行)(?:有哪些|都?在哪里?|在哪儿)?|(?:是|都|被)?(?:在哪里?|在哪儿|在哪个文件).*|出现.*|在(?:这个)?(?:项目|代码|哪|[\w/]+\s*(?:里|中|目录|下)).*|有?(?:多少|几)(?:个|处|次).*|一下|的|吗|呢)$/i;
const NOISE_ZH =
  /^(?:哪里|哪儿|哪些地方|哪些文件|哪个文件|谁|用了|调用了|引用了|有没有|看看?|所有|全部|每个|每处|一切|一下|关于|含有|包含|提到|用到|使用|调用|这个|函数|变量|类|方法|字符串|关键字|关键词|单词|常量|接口|类型|文字|名为|叫做?|带有|出现|的|有|了|到|一个|个|文本|内容|整个项目|整个仓库|整个|代码里|项目里|项目中|代码中|里面?|中)+\s*/;

function termAfterLead(utterance: Utterance): SearchTerm | null {
  const text = withoutScope(utterance);
  for (const lead of utterance.language === 'zh' ? [...LEADS_ZH, ...LEADS] : LEADS) {
    const words = lead.exec(text)?.groups?.['term'];
    const core = words === undefined ? '' : trimmedTerm(words);
    if (/[\p{L}\p{N}]/u.test(core) && !new RegExp(ANY_MARK).test(core) && !EMPTY_TERMS.test(core))
      return termOf(utterance, core, NAMES_TEXT.test(text));
  }
  return null;
}

const NAMES_TEXT = /\b(?:the )?(?:text|string|word|phrase)\s+\S|(?:单词|字符串|文字|关键字|关键词|字样)/i;
const EMPTY_TERMS =
  /^(?:it|this|that|them|these|those|there|here|what|which|me|all|any|the|is|are|a|an|files?\b.*|everything|something|文件|什么.*|哪些.*|内容|代码|东西|它|有|个|行|处|.*(?:目录|文件夹|项目|仓库|工程)(?:里|中)?有?|(?:in|of|from|with|to|for|into|under)\b.*)$/i;

function trimmedTerm(words: string): string {
  let core = words.trim();
  for (;;) {
    const shorter = core
      .replace(TERM_END, '')
      .replace(TERM_END_ZH, '')
      .replace(NOISE_ZH, '')
      .replace(/^(?:the|all|any|every)\s+/i, '')
      .replace(/[\s,，:：]+$/, '')
      .trim();
    if (shorter === core) return core;
    core = shorter;
  }
}

// "in src", "ts files" and "in a.ts" limit a search; they are not what is searched for.
function withoutScope(utterance: Utterance): string {
  const folder = folderIn(utterance);
  const kind = fileKindIn(utterance);
  let text = utterance.text
    .replaceAll(
      /,?\s*\b(?:in|inside|under|within|of|from)\s+(?:the\s+)?(?:file\s+)?[\uE100-\uE2FF](?:\s+(?:folder|directory|file)\b)?/gi,
      ' ',
    )
    .replaceAll(/(?:在\s*)?[\uE100-\uE2FF]\s*(?:文件|目录|文件夹)?(?:里面|里|中|内|下)?的?/g, ' ');
  if (folder !== null)
    text = text.replaceAll(
      new RegExp(
        `,?\\s*(?:\\b(?:in|inside|under|within|of|from)\\s+(?:the\\s+)?)${escaped(folder)}(?:\\s+(?:folder|directory|dir)\\b)?|(?:在\\s*)?(?<![\\w.])${escaped(folder)}\\s*(?:目录|文件夹)?(?:里面|里|中|内|下面|下)的?`,
        'gi',
      ),
      ' ',
    );
  if (kind !== null)
    text = text.replaceAll(
      new RegExp(
        `(?:\\b(?:in|from|within|across)\\s+(?:all\\s+|the\\s+)*)?(?<![\\w])\\.?${escaped(kind.label.replace(/^\./, ''))}(?:[- ](?:source )?files?\\b|\\s*(?:源|代码)?文件(?:里面|里|中)?的?)`,
        'gi',
      ),
      ' ',
    );
  return text.replaceAll(/ {2,}/g, ' ').trim();
}
