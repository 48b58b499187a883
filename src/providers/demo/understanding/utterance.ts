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
}

/** Reads a request once: its marks, its language, its core. */
export function readUtterance(raw: string): Utterance {
  const marked = markText(raw.trim());
  const text = withoutPoliteWords(marked.text).replace(/[\s.。!！?？~…]+$/u, '');
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
  };
}

// Quoted text is data: an English request about Chinese words is English, unless there is nothing but the quote.
function languageOfRequest(marked: MarkedText): Language {
  const words = marked.text.replaceAll(new RegExp(ANY_MARK, 'g'), '');
  return languageOf(/\p{L}/u.test(words) ? words : marked.marks.map((mark) => mark.text).join(' '));
}
