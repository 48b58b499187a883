import { ANY_MARK, marksIn, type MarkedText, unmark } from './marks.ts';
import { looksLikeCode } from './name-words.ts';

/** One side of "replace A with B", without the words around it. */
export interface Operand {
  readonly text: string;
  /** It was quoted, or looks like code: it means itself. */
  readonly isLiteral: boolean;
  /** It was introduced by "the": it describes rather than quotes. */
  readonly isDescribed: boolean;
}

/** Reads an operand from a fragment of a request: what is quoted in it, or else its words without the filler. */
export function operandOf(marked: MarkedText, fragment: string): Operand {
  const plain = trimmed(fragment);
  const core = trimmed(plain.replace(LEAD, '').replace(LEAD, '').replace(LEAD_ZH, '').replace(TRAIL, '').replace(TRAIL_ZH, ''));
  // What stands behind a quoted text ("… and README.md") is not part of it.
  const [first] = marksIn(marked, core.charAt(0));
  if (first?.isQuoted === true) return literal(first.text);
  const text = unmark(marked, core === '' ? plain : core).replace(/'s$/, '');
  const isNamed = NAMED.test(plain);
  const isDescribed = !isNamed && (/^(?:the|this|that|its)\s/i.test(plain) || /(?:的值|这个值)$/.test(plain));
  return { text, isLiteral: isNamed || (looksLikeCode(text) && !/\s/.test(text)), isDescribed };
}

/** The quoted part of a fragment that stands after words ("the port `5432`"), with those words, or null. */
export function quotedAfterWords(
  marked: MarkedText,
  fragment: string,
): { readonly words: string; readonly quoted: string } | null {
  const split = new RegExp(`^(.*\\S)\\s*(${ANY_MARK}|(?<=\\s)v?\\d[\\w.]*)$`, 'su').exec(trimmed(fragment));
  if (split === null || !/\p{L}{2}/u.test(split[1] ?? '')) return null;
  const words = trimmed(
    (split[1] ?? '')
      .replace(LEAD, '')
      .replace(LEAD, '')
      .replace(LEAD_ZH, '')
      .replace(/^(?:the|its)\s+/i, ''),
  );
  return words === '' ? null : { words: unmark(marked, words), quoted: unmark(marked, split[2] ?? '') };
}

function literal(text: string): Operand {
  return { text, isLiteral: true, isDescribed: false };
}

function trimmed(fragment: string): string {
  return fragment.replace(/^[\s，,、。;；:：]+|[\s，,、。;；:：]+$/gu, '');
}

const NOUN =
  'words?|texts?|strings?|phrases?|names?|identifiers?|variables?|functions?|class(?:es)?|methods?|constants?|types?|values?|terms?|symbols?|keywords?|fields?|interfaces?|lines?|typos?|titles?|letters?|numbers?|substrings?';
// "the function main" names main, where "the port" describes a value.
const NAMED =
  /^(?:the |this )?(?:word|text|string|phrase|identifier|variable|function|class|method|constant|type|symbol|keyword|interface|typo|letter|substring)s?\s+\S|^(?:单词|字符串|文字|文本|变量名?|函数名?|类名?|方法名?|标识符|常量)\s*[\w\uE000-\uE2FF]/i;
const LEAD = new RegExp(
  `^(?:(?:the )?(?:spelling|wording|text) of\\s+|(?:all|every|each|any)(?: (?:of )?the| of)? (?:occurrences?|instances?|uses?|appearances?|mentions?|copies)(?: of)?\\s+|(?:the )?(?:first|only) (?:occurrence|instance|use)? ?(?:of )?|(?:occurrences?|instances?) of\\s+|(?:all|every|each)\\s+(?:the |of the |of )?|the value of\\s+|(?:the |this )?(?:${NOUN})\\s+(?:of |called |named )?(?=\\S)|(?:the|its)\\s+(?=\\S))`,
  'i',
);
const LEAD_ZH =
  /^(?:(?:所有|全部|每一?个|每一?处|第一个|第一处|首个)(?:出现)?的?|(?:单词|字符串|文字|文本|变量名?|函数名?|类名|方法名?|字段名?|标识符|关键字|词语|词|字样|常量|内容|文案|标题|数字)(?=[\s\p{ASCII}\uE000-\uE2FF]))+\s*/u;
const TRAIL =
  /\s+(?:everywhere|throughout|globally|please|instead|there|here|in (?:it|there|here)|(?:in )?all (?:places|over)|for me|now|too|as well)$/i;
const TRAIL_ZH =
  /\s*(?:(?:这|那)个(?:单词|词|变量|函数|字符串|值|字|名字|名称)|一词|二字|字样|的地方|的值|的内容|全部|全都|都|统统|统一|一律|请)$/;
