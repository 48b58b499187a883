import { contentWords } from './content-words.ts';
import { conceptWordsIn } from './concept-words.ts';
import { hasCue } from './cues.ts';
import { type FileHint, namedHintIn, withoutDescribedFiles } from './file-hint.ts';
import { searchTermIn } from './search-term.ts';
import type { Guess, ValueTask } from './task.ts';
import type { Utterance } from './utterance.ts';
import valueWords from './value-words.json' with { type: 'json' };

// Facts that a manifest has; those among them that nothing else has; and words that alone ask for no configuration.
const MANIFEST_FACTS = new Set(valueWords.manifestFacts);
const CLEAR_FACTS = new Set(valueWords.clearFacts);
const EVERYDAY_WORDS = new Set(valueWords.everydayWords);
const SCRIPT_NAMES = new Set(valueWords.scriptNames);

/** Understands questions for a value that name no file: facts of the project's manifest, or of some configuration. */
export function recogniseValue(utterance: Utterance): Guess | null {
  if (namedHintIn(utterance) !== null) return null;
  if (hasCue(utterance.lower, 'howTo')) return { score: 73, task: manifestTask(utterance, scriptWordsIn(utterance)) };
  const concepts = conceptsIn(utterance);
  // "tell me" is polite and a question at once.
  const isQuestion = hasCue(utterance.lower, 'question') || hasCue(utterance.raw.toLowerCase(), 'question');
  if (concepts.length === 0 || !isQuestion) return null;
  if (isAboutManifest(utterance, concepts)) return { score: 65, task: manifestTask(utterance, concepts) };
  const isEveryday = concepts.every((concept) => EVERYDAY_WORDS.has(concept)) && !hasCue(utterance.lower, 'project');
  const words = [...new Set([...valueWordsIn(utterance), ...concepts])];
  return isEveryday ? null : { score: 45, task: valueTask(utterance, words, null) };
}

/** A question for the value that some words name, in a file or wherever it may be. */
export function valueTask(utterance: Utterance, words: readonly string[], file: FileHint | null): ValueTask {
  return { intent: 'value', file, words, hints: [], isManifest: false, hasReadVerb: hasCue(utterance.lower, 'show') };
}

/** The words that may name a value: what is quoted, names in code, and concepts. */
export function valueWordsIn(utterance: Utterance): readonly string[] {
  const quoted = utterance.quotes.map((mark) => mark.text);
  const code = searchTermIn(utterance);
  const words = conceptWordsIn(withoutDescribedFiles(utterance.text));
  const marked = code !== null && code.isMarked && !words.includes(code.label) ? [code.label] : [];
  return [...new Set([...quoted, ...marked, ...words])];
}

function manifestTask(utterance: Utterance, words: readonly string[]): ValueTask {
  return { ...valueTask(utterance, words, null), isManifest: true };
}

function conceptsIn(utterance: Utterance): readonly string[] {
  const concepts = contentWords(utterance.text).flatMap((word) => word.concept ?? []);
  const asksName = /\bcalled\b|叫什么|叫啥/.test(utterance.lower) ? ['name'] : [];
  // "this repository" is the project itself, and only its address is a fact of it.
  const isAddress = /\b(?:url|link|hosted)\b|地址|链接/.test(utterance.lower);
  return [...new Set([...concepts, ...asksName])].filter((concept) => concept !== 'repository' || isAddress);
}

function isAboutManifest(utterance: Utterance, concepts: readonly string[]): boolean {
  const isProject = hasCue(utterance.lower, 'project') || concepts.some((concept) => CLEAR_FACTS.has(concept));
  return isProject && concepts.every((concept) => MANIFEST_FACTS.has(concept));
}

function scriptWordsIn(utterance: Utterance): readonly string[] {
  return ['scripts', ...conceptWordsIn(utterance.text).filter((word) => SCRIPT_NAMES.has(word))];
}
