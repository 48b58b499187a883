import { hasCue, withoutCues } from './cues.ts';
import { type FileHint, fileHintIn, hintOfName } from './file-hint.ts';
import { lineRangeIn } from './line-range.ts';
import { ANY_MARK } from './marks.ts';
import { valueTask, valueWordsIn } from './recognise-value.ts';
import type { Background, Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands requests about one file: showing it, lines of it, what it is for, and a value in it. */
export function recogniseFile(utterance: Utterance, background: Background): Guess | null {
  const file = fileHintIn(utterance, background.lastFile);
  if (file === null) return null;
  const lines = lineRangeIn(utterance.text);
  const also = otherFilesIn(utterance, file);
  if (lines !== null && !hasCue(utterance.lower, 'where')) return { score: 63, task: { intent: 'read', file, lines, also } };
  const words = valueWordsIn(utterance);
  if (describes(utterance, words)) return { score: 62, task: { intent: 'describe', file } };
  if (words.length > 0 && isQuestion(utterance)) return { score: 60, task: valueTask(utterance, words, file) };
  const isShown = hasCue(utterance.lower, 'show') || isBarePath(utterance);
  if (isShown) return { score: 58, task: { intent: 'read', file, lines: null, also } };
  return words.length > 0 ? { score: 50, task: valueTask(utterance, words, file) } : null;
}

function otherFilesIn(utterance: Utterance, file: FileHint): readonly FileHint[] {
  return utterance.paths.map((mark) => hintOfName(mark.text)).filter((other) => other.label !== file.label);
}

// "what does a.ts do" and "what does a.ts export"; "what does a.ts contain" only shows it.
function describes(utterance: Utterance, words: readonly string[]): boolean {
  const isData = /\.(?:json|ya?ml|toml|ini|env)$/.test(utterance.paths[0]?.text ?? '');
  if (hasCue(utterance.lower, 'members') && !isData) return true;
  // "used for" asks for a value's purpose, not for the file's.
  const asked = utterance.lower.replaceAll(/\b(?:settings?|values?|used? for)\b/g, '');
  return hasCue(asked, 'describe') && words.length <= 2;
}

function isQuestion(utterance: Utterance): boolean {
  return hasCue(utterance.lower, 'question') || /的|里|中|\b(?:of|in|from)\b/.test(utterance.lower);
}

const BESIDE_PATH = new RegExp(`${ANY_MARK}|[\\s,，?？]|的|文件|内容|\\b(?:the|file|in|contents?|of)\\b`, 'g');

function isBarePath(utterance: Utterance): boolean {
  return withoutCues(utterance.lower, 'also').replaceAll(BESIDE_PATH, '') === '';
}
