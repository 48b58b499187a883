import { contentWords } from './content-words.ts';

/** What a text is about, in the shared names of concepts; a word that no table knows stands for itself. */
export function conceptWordsIn(text: string): readonly string[] {
  return [...new Set(contentWords(text).map((word) => word.concept ?? word.text))];
}
