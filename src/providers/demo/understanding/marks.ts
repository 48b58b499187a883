import words from './file-words.json' with { type: 'json' };
import { pathKindOf } from './path-words.ts';

/** A part of a sentence that stands for itself: quoted text, a path, or a glob pattern. */
export interface Mark {
  readonly kind: 'quote' | 'path' | 'glob';
  readonly text: string;
  /** As it was written, with its quotes. */
  readonly source: string;
  readonly isQuoted: boolean;
}

/** A sentence in which each mark is one character of the private use area, so that its inside is never taken for words of the sentence. */
export interface MarkedText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** The source of a regular expression for one mark of quoted text. */
export const QUOTE = '[\\uE000-\\uE0FF]';
/** The same for a path. */
export const PATH = '[\\uE100-\\uE1FF]';
/** The same for a glob pattern. */
export const GLOB = '[\\uE200-\\uE2FF]';
/** The same for a mark of any kind. */
export const ANY_MARK = '[\\uE000-\\uE2FF]';

const FIRST_CODE = { quote: 0xe000, path: 0xe100, glob: 0xe200 } as const;
const MOST_MARKS = 0xff;

/** Finds the marks of a sentence. */
export function markText(text: string): MarkedText {
  const marks: Mark[] = [];
  const put = (mark: Mark): string => {
    if (marks.length > MOST_MARKS) return mark.text;
    marks.push(mark);
    return String.fromCharCode(FIRST_CODE[mark.kind] + marks.length - 1);
  };
  const plain = text.replaceAll(/[\uE000-\uE2FF]/g, ' ');
  const marked = plain.replaceAll(PARTS, (source: string, ...found: readonly unknown[]) => {
    const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
    if (groups['hanName'] !== undefined) return markHanName(source, put);
    if (groups['word'] !== undefined) return markWord(source, put);
    return markQuote(Object.values(groups).find((value) => value !== undefined) ?? '', source, put);
  });
  return { text: marked.replaceAll('’', "'"), marks };
}

/** The marks that stand in a fragment of a marked text, in order. */
export function marksIn(marked: MarkedText, fragment: string): readonly Mark[] {
  return [...fragment.matchAll(/[\uE000-\uE2FF]/g)].flatMap((found) => marked.marks[found[0].charCodeAt(0) & MOST_MARKS] ?? []);
}

/** A fragment with its marks as they were written; quotes around them are gone. */
export function unmark(marked: MarkedText, fragment: string): string {
  return fragment.replaceAll(/[\uE000-\uE2FF]/g, (mark) => marked.marks[mark.charCodeAt(0) & MOST_MARKS]?.text ?? '');
}

/** A fragment with its marks as they were written, quotes and all. */
export function sourceOf(marked: MarkedText, fragment: string): string {
  return fragment.replaceAll(/[\uE000-\uE2FF]/g, (mark) => marked.marks[mark.charCodeAt(0) & MOST_MARKS]?.source ?? '');
}

/** A text whose only mark, a quote, is taken for a path. */
export function pathInsteadOfQuote({ text, marks }: MarkedText): MarkedText {
  return {
    text: text.replace(String.fromCharCode(FIRST_CODE.quote), String.fromCharCode(FIRST_CODE.path)),
    marks: marks.map((mark) => ({ ...mark, kind: 'path' })),
  };
}

const PARTS = new RegExp(
  [
    '```[^\\n`]{0,80}\\n(?<fence>[\\s\\S]*?)\\n?```',
    '`(?<backtick>[^`\\n]+)`',
    '"(?<double>[^"\\n]+)"',
    '“(?<curly>[^“”]+)”',
    '‘(?<single>[^‘’]+)’',
    '「(?<corner>[^「」]+)」',
    '『(?<white>[^『』]+)』',
    '《(?<title>[^《》]+)》',
    "(?<![A-Za-z0-9])'(?<straight>[^'\\n]+)'(?![A-Za-z0-9])",
    `(?<hanName>[\\p{Script=Han}\\w-]{0,40}\\p{Script=Han}\\.(?:${words.extensions.join('|')})(?![\\w.]))`,
    '(?<word>(?:\\{[^{}\\s]*\\}|[A-Za-z0-9_@~.$\\-/\\\\+*?[\\]])+)',
  ].join('|'),
  'gu',
);

function markQuote(text: string, source: string, put: (mark: Mark) => string): string {
  const kind = text.includes(' ') ? null : pathKindOf(text);
  return put({ kind: kind ?? 'quote', text, source, isQuoted: true });
}

function markWord(word: string, put: (mark: Mark) => string): string {
  const tail = /[.?!]*$/.exec(word)?.[0] ?? '';
  const name = word.slice(0, word.length - tail.length);
  const kind = pathKindOf(name);
  if (kind === null) return word;
  return put({ kind, text: name, source: name, isQuoted: false }) + tail;
}

// Chinese puts no space before a name: 打开说明.md. What reads like a verb before the name is cut off.
function markHanName(run: string, put: (mark: Mark) => string): string {
  const lead =
    /^.*(?:看看|看一下|看下|读一下|读取|读|打开|显示|查看|看|把|将|新建|创建|建立|文件|名为|叫做|叫|里的|和|到|在|写入|一下|一个|个)/.exec(
      run,
    )?.[0] ?? '';
  const name = run.slice(lead.length);
  const kind = pathKindOf(name);
  if (kind === null) return run;
  return lead + put({ kind, text: name, source: name, isQuoted: false });
}
