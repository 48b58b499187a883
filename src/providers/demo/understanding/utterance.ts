import { type Language, languageOf } from '../speech.ts';
import { hasCue } from './cues.ts';
import { ANY_MARK, type Mark, type MarkedText, marksIn, markText, pathInsteadOfQuote, sourceOf } from './marks.ts';
import { isSpacedFileName } from './path-words.ts';
import { withoutPoliteWords } from './polite.ts';

/** What a person asked, made ready for being understood. */
export interface Utterance extends MarkedText {
  /** The request with its marks, without polite words and without the mark of the sentence's end. */
  readonly text: string;
  readonly lower: string;
  readonly raw: string;
  readonly language: Language;
  readonly quotes: readonly Mark[];
  readonly paths: readonly Mark[];
  readonly globs: readonly Mark[];
  /** How much of the text was taken for the request: piped text may follow it, and a long text is not looked into. */
  readonly read: 'whole' | 'first paragraph' | 'nothing';
}

// Rules are for requests, not for essays. What is quoted or fenced counts as one character.
const MOST_CHARACTERS = 1000;
const MOST_RAW_CHARACTERS = 50_000;

/** Reads a request once: its marks, its language, its core. Of a long text only a short first paragraph is the request. */
export function readUtterance(raw: string): Utterance {
  const whole = raw.trim();
  const marked = markText(whole.slice(0, MOST_RAW_CHARACTERS));
  if (whole.length <= MOST_RAW_CHARACTERS && marked.text.length <= MOST_CHARACTERS) return utteranceOf(whole, marked, 'whole');
  const [head = ''] = whole.slice(0, MOST_CHARACTERS * 2).split(/\n\s*\n/, 1);
  const isRequest = head.length <= MOST_CHARACTERS && !/[:：]$/.test(head.trim());
  return isRequest ? utteranceOf(head, markText(head), 'first paragraph') : utteranceOf('', marked, 'nothing');
}

/** The first paragraph of a request that has several, or null: what follows it may be text that was piped in. */
export function firstParagraphOf(utterance: Utterance): Utterance | null {
  const [head = '', ...rest] = utterance.text.split(/\n\s*\n/);
  if (rest.length === 0 || /[:：]\s*$/.test(head)) return null;
  const marked = { text: head, marks: utterance.marks };
  return utteranceOf(sourceOf(marked, head), marked, 'first paragraph');
}

function utteranceOf(raw: string, plain: MarkedText, read: Utterance['read']): Utterance {
  const marked = withSpacedName(plain);
  const text = read === 'nothing' ? '' : withoutPoliteWords(marked.text).replace(/[\s.。!！?？~…]+$/u, '');
  const present = marksIn(marked, marked.text);
  const kinds = (kind: Mark['kind']): readonly Mark[] => present.filter((mark) => mark.kind === kind);
  return {
    text,
    marks: marked.marks,
    lower: text.toLowerCase(),
    raw,
    language: languageOfRequest(marked),
    quotes: kinds('quote'),
    paths: kinds('path'),
    globs: kinds('glob'),
    read,
  };
}

// Quoted and piped text is data: an English request about Chinese words is English, unless there is nothing but the quote.
function languageOfRequest(marked: MarkedText): Language {
  const [head = ''] = marked.text.split(/\n\s*\n/, 1);
  const words = head.replaceAll(new RegExp(ANY_MARK, 'g'), '');
  return languageOf(/\p{L}/u.test(words) ? words : marked.marks.map((mark) => mark.text).join(' '));
}

// A quoted "a b.txt" may be a text or a command as well; where it is all that a request shows or asks about, it is a file.
function withSpacedName(marked: MarkedText): MarkedText {
  const [only, ...others] = marked.marks;
  if (only === undefined || others.length > 0 || only.kind !== 'quote' || !isSpacedFileName(only.text)) return marked;
  const words = marked.text.toLowerCase();
  const isAlone = words.replaceAll(new RegExp(ANY_MARK, 'g'), '').trim() === '';
  return (isAlone || hasCue(words, 'show') || hasCue(words, 'count')) && !OTHER_USE.test(words)
    ? pathInsteadOfQuote(marked)
    : marked;
}

const OTHER_USE =
  /\b(?:run|runs|exec|execute|command|search|find|grep|where|replace|change|rename|move|copy|create|write|append|occurs?|times|often|contains?|mentions?)\b|运行|执行|命令|搜|查找|哪|换|改|移|复制|建|写入|写进|追加|次|出现|包含|提到/;
