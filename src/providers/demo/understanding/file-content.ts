import { type MarkedText, marksIn, sourceOf } from './marks.ts';

/** What introduces the words that a small program is to print. */
export const HELLO_LEAD =
  /\b(?:that|which|to|and)\s+(?:prints?|logs?|outputs?|echo(?:es)?|displays?|says)\s+|(?:打印|输出|显示)(?:出)?\s*/i;

/** The text of a file as a fragment of a request gives it, or null where the fragment only describes it ("a function that sorts"). */
export function contentOf(marked: MarkedText, fragment: string): string | null {
  const core = fragment.replace(LEAD, '').replace(LEAD, '').replace(LEAD_ZH, '').trim();
  const quoted = marksIn(marked, core).filter((mark) => mark.isQuoted);
  if (quoted.length > 0 && marksIn(marked, core.charAt(0))[0]?.isQuoted === true)
    return unescaped(quoted.map((mark) => mark.text).join('\n'));
  const text = sourceOf(marked, core).replace(
    /\s*(?:,?\s*(?:and|then) (?:save|show|run|tell)\b.*|[，,]\s*(?:然后|并)?(?:保存|运行|显示).*)$/is,
    '',
  );
  const plain = text.replace(/\s+(?:inside(?: (?:it|of it))?|in it|as (?:its |the )?(?:contents?|text))$/i, '');
  if (plain === '' || POINTER.test(plain) || DESCRIPTION.test(plain)) return null;
  return unescaped(plain);
}

const LEAD =
  /^[\s,，:：]*(?:(?:just|only|exactly)\s+)?(?:(?:(?:the|a|an|this|following|single|one|some|its|new|simple)\s+)*(?:contents?|text|line|body|words?|string|message|sentence|lines)\b)?\s*(?:of\b|is\b|being\b|as\b|that (?:says|reads)\b|which (?:says|reads)\b|saying\b|reading\b|containing\b|:|：|=|follows:)?\s*/i;
const LEAD_ZH = /^[\s,，:：]*(?:(?:一行|一句话?|一段|如下|以下)?(?:内容|文字|文本|的话|话)?(?:是|为|：|:)?\s*)?/;
const DESCRIPTION =
  /^(?:(?:a|an|some|the|my|your|its)\s+)?(?:\w+\s+)*?(?:functions?|class(?:es)?|tests?|unit tests|comments?|docs?|documentation|types?|logging|error handling|methods?|features?|components?|code|program|script|implementation|algorithm|examples?|boilerplate|support|validation|poem|story|essay|article|summary|list|table|config(?:uration)?)\b|^(?:一个|个|一些|些|一段|段|一首|首)?.{0,12}(?:函数|类|测试|注释|文档|方法|功能|组件|代码|程序|脚本|算法|示例|诗|故事|文章|总结)(?:$|的|，|。)/i;

// Words that only point to where the content stands.
const POINTER =
  /^(?:the |this )?(?:following|this|it|that|below)(?: (?:text|content|lines?))?$|^(?:下面|以下|如下|这|这些|下列)(?:的)?(?:内容|文字|文本)?$/i;

// People write \n for a line break inside a quoted text.
function unescaped(text: string): string {
  return text.includes('\n') ? text : text.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t');
}
