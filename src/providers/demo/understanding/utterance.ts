import { type Language, languageOf } from '../speech.ts';
import { ANY_MARK, type Mark, type MarkedText, markText } from './marks.ts';
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
  /** Longer than a request that rules can follow; such a text is not looked into. */
  readonly isLong: boolean;
}

// Rules are for requests, not for essays. What is quoted or fenced counts as one character.
const MOST_CHARACTERS = 1000;
const MOST_RAW_CHARACTERS = 50_000;

/** Reads a request once: its marks, its language, its core. */
export function readUtterance(raw: string): Utterance {
  const marked = markText(raw.trim().slice(0, MOST_RAW_CHARACTERS));
  const isLong = raw.length > MOST_RAW_CHARACTERS || marked.text.length > MOST_CHARACTERS;
  const text = (isLong ? marked.text : withoutPoliteWords(marked.text)).replace(/[\s.。!！?？~…]+$/u, '');
  const kinds = (kind: Mark['kind']): readonly Mark[] => marked.marks.filter((mark) => mark.kind === kind);
  return {
    text,
    marks: marked.marks,
    lower: text.toLowerCase(),
    raw,
    language: languageOfRequest(marked),
    quotes: kinds('quote'),
    paths: kinds('path'),
    globs: kinds('glob'),
    isLong,
  };
}

// Quoted text is data: an English request about Chinese words is English, unless there is nothing but the quote.
function languageOfRequest(marked: MarkedText): Language {
  const words = marked.text.replaceAll(new RegExp(ANY_MARK, 'g'), '');
  return languageOf(/\p{L}/u.test(words) ? words : marked.marks.map((mark) => mark.text).join(' '));
}
