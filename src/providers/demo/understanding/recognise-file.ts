import { conceptWordsIn } from './concept-words.ts';
import { hasCue, withoutCues } from './cues.ts';
import { type FileHint, fileHintIn, hintOfName, namedHintIn, withoutDescribedFiles } from './file-hint.ts';
import { lineRangeIn } from './line-range.ts';
import { ANY_MARK } from './marks.ts';
import { contentWords } from './content-words.ts';
import { searchTermIn } from './search-term.ts';
import type { Background, Guess, ValueTask } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands requests about one file: showing it, lines of it, what it is for, and a value in it. */
export function recogniseFile(utterance: Utterance, background: Background): Guess | null {
  const file = fileHintIn(utterance, background.lastFile);
  if (file === null) return null;
  const lines = lineRangeIn(utterance.text);
  const words = valueWordsIn(utterance);
  const also = utterance.paths.map((mark) => hintOfName(mark.text)).filter((other) => other.label !== file.label);
  if (lines !== null && !hasCue(utterance.lower, 'where')) return { score: 63, task: { intent: 'read', file, lines, also } };
  if (describes(utterance)) return { score: 62, task: { intent: 'describe', file } };
  if (words.length > 0 && isQuestion(utterance)) return { score: 60, task: valueOf(utterance, words, file) };
  if (hasCue(utterance.lower, 'show') || isBarePath(utterance))
    return { score: 58, task: { intent: 'read', file, lines: null, also } };
  return words.length > 0 ? { score: 50, task: valueOf(utterance, words, file) } : null;
}

/** Understands questions for a value that name no file: facts of the project's manifest, or of some configuration. */
export function recogniseValue(utterance: Utterance): Guess | null {
  if (namedHintIn(utterance) !== null) return null;
  const { lower } = utterance;
  if (hasCue(lower, 'howTo')) return { score: 73, task: valueOf(utterance, scriptWordsIn(utterance), null, true) };
  const known = contentWords(utterance.text).filter((word) => word.concept !== null);
  const asksName = /\bcalled\b|叫什么|叫啥/.test(lower) ? ['name'] : [];
  const concepts = [...new Set([...known.map((word) => word.concept ?? word.text), ...asksName])];
  const isVague = concepts.every((concept) => VAGUE.has(concept)) && !hasCue(lower, 'project');
  if (concepts.length === 0 || isVague || !hasCue(lower, 'question')) return null;
  if (concepts.every((concept) => concept === 'repository') && !/\b(?:url|link|hosted)\b|地址|链接/.test(lower)) return null;
  const isManifest =
    concepts.every((concept) => MANIFEST_FACTS.has(concept)) &&
    (hasCue(lower, 'project') || concepts.some((concept) => CLEAR_FACTS.has(concept)));
  if (isManifest) return { score: 65, task: valueOf(utterance, concepts, null, true) };
  const all = [...new Set([...valueWordsIn(utterance), ...concepts])];
  return { score: 45, task: valueOf(utterance, all, null) };
}

const MANIFEST_FACTS = new Set([
  'min',
  'max',
  'name',
  'version',
  'license',
  'author',
  'description',
  'dependencies',
  'dev',
  'scripts',
  'engines',
  'node',
  'repository',
  'homepage',
  'keywords',
  'type',
  'email',
]);
// Words of everyday speech, which a configuration is only asked for together with others.
const VAGUE = new Set([
  'time',
  'date',
  'year',
  'language',
  'mode',
  'color',
  'name',
  'type',
  'id',
  'count',
  'size',
  'price',
  'city',
  'country',
  'image',
  'model',
  'table',
  'test',
  'build',
  'start',
  'description',
  'input',
  'output',
  'default',
  'user',
  'main',
  'dev',
  'path',
  'phone',
  'format',
  'amount',
  'limit',
  'memory',
  'email',
]);
const CLEAR_FACTS = new Set([
  'version',
  'license',
  'author',
  'dependencies',
  'scripts',
  'engines',
  'repository',
  'homepage',
  'keywords',
]);

function valueOf(utterance: Utterance, words: readonly string[], file: FileHint | null, isManifest = false): ValueTask {
  return {
    intent: 'value',
    file,
    words: words.length === 0 ? ['scripts'] : words,
    hints: [],
    isManifest,
    hasReadVerb: hasCue(utterance.lower, 'show'),
  };
}

function valueWordsIn(utterance: Utterance): readonly string[] {
  const quoted = utterance.quotes.map((mark) => mark.text);
  const code = searchTermIn(utterance);
  const words = conceptWordsIn(withoutDescribedFiles(utterance.text));
  const marked = code !== null && code.isMarked && !words.includes(code.label) ? [code.label] : [];
  return [...new Set([...quoted, ...marked, ...words])].filter((word) => !/^(?:entry|describe|explain)$/i.test(word));
}

function scriptWordsIn(utterance: Utterance): readonly string[] {
  const named = conceptWordsIn(utterance.text).filter((word) => ['test', 'build', 'start', 'lint', 'format'].includes(word));
  return ['scripts', ...named];
}

// "what does a.ts do" and "what does a.ts export"; "what does a.ts contain" only shows it.
function describes(utterance: Utterance): boolean {
  const { lower } = utterance;
  const isData = /\.(?:json|ya?ml|toml|ini|env)$/.test(utterance.paths[0]?.text ?? '');
  if (hasCue(lower, 'members') && !isData) return true;
  return hasCue(lower.replaceAll(/\b(?:settings?|values?|used? for)\b/g, ''), 'describe') && valueWordsIn(utterance).length <= 2;
}

function isQuestion(utterance: Utterance): boolean {
  return hasCue(utterance.lower, 'question') || /的|里|中/.test(utterance.text) || /\b(?:of|in|from)\b/.test(utterance.lower);
}

function isBarePath(utterance: Utterance): boolean {
  return (
    withoutCues(utterance.lower, 'also').replaceAll(
      new RegExp(`${ANY_MARK}|[\\s,，?？]|的|文件|内容|\\b(?:the|file|in|contents?|of)\\b`, 'g'),
      '',
    ) === ''
  );
}
