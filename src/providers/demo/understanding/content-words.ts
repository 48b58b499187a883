import concepts from './concepts.json' with { type: 'json' };
import stopWords from './stop-words.json' with { type: 'json' };
import { ANY_MARK } from './marks.ts';
import { wordsOfName } from './name-words.ts';

const STOP_EN = new Set(stopWords.en);
const CONCEPT_OF = new Map(Object.entries(concepts).flatMap(([concept, names]) => names.map((name) => [name, concept] as const)));
const HAN_WORDS = [...[...CONCEPT_OF.keys()].filter((name) => /\p{Script=Han}/u.test(name)), ...stopWords.zh].toSorted(
  (a, b) => b.length - a.length,
);
const HAN_STOP = new Set(stopWords.zh);

/** A word that carries what is asked. `concept` is the name that its synonyms share, or null where the table has none. */
export interface ContentWord {
  readonly text: string;
  readonly concept: string | null;
}

/** The words of a sentence that say what it is about: without marks, small words, and verbs of showing. Each once, in order. */
export function contentWords(text: string): readonly ContentWord[] {
  const plain = text.replaceAll(new RegExp(ANY_MARK, 'g'), ' ');
  const found = [...plain.matchAll(/\p{Script=Han}+|[A-Za-z_$][\w$.-]*(?:'s)?/gu)].flatMap(([run]) =>
    /^\p{Script=Han}/u.test(run) ? hanWords(run) : latinWords(run),
  );
  return found.filter((word, at) => found.findIndex((other) => sameWord(word, other)) === at);
}

/** The shared names of a word's meanings: the words of an identifier, each under its concept. */
export function conceptsOfName(name: string): readonly string[] {
  const whole = CONCEPT_OF.get(name.toLowerCase());
  const parts = wordsOfName(name).map((word) => CONCEPT_OF.get(word) ?? word);
  return [...new Set(whole === undefined ? parts : [whole, ...parts])];
}

/** All spellings of a concept, itself included. */
export function synonymsOf(concept: string): readonly string[] {
  return (concepts as Readonly<Record<string, readonly string[]>>)[concept] ?? [concept];
}

function latinWords(run: string): readonly ContentWord[] {
  const text = run.replace(/'s$/, '').replace(/[.-]+$/, '');
  const lower = text.toLowerCase();
  if (STOP_EN.has(lower) || lower === '') return [];
  return [{ text, concept: CONCEPT_OF.get(lower) ?? CONCEPT_OF.get(lower.replace(/s$/, '')) ?? null }];
}

// Longest known word first; what no table knows is kept as one run, since it may be a key of the file.
function hanWords(run: string): readonly ContentWord[] {
  const words: ContentWord[] = [];
  let unknown = '';
  const flush = (): void => {
    if (unknown.length > 1) words.push({ text: unknown, concept: null });
    unknown = '';
  };
  for (let at = 0; at < run.length; ) {
    const known = HAN_WORDS.find((word) => run.startsWith(word, at));
    if (known === undefined) {
      unknown += run.charAt(at++);
      continue;
    }
    flush();
    if (!HAN_STOP.has(known)) words.push({ text: known, concept: CONCEPT_OF.get(known) ?? null });
    at += known.length;
  }
  flush();
  return words;
}

function sameWord(a: ContentWord, b: ContentWord): boolean {
  return a.text === b.text || (a.concept !== null && a.concept === b.concept);
}
