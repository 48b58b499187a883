import { conceptWordsIn } from './concept-words.ts';
import { hasCue, withoutCues } from './cues.ts';
import { namedHintIn } from './file-hint.ts';
import { fileKindIn } from './file-kind.ts';
import { folderIn } from './folder-words.ts';
import type { Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands questions about the entry file of the project. */
export function recogniseEntry(utterance: Utterance): Guess | null {
  if (utterance.paths.length > 0 || utterance.quotes.length > 0 || !hasCue(utterance.lower, 'entry')) return null;
  return { score: 76, task: { intent: 'entry' } };
}

/** Understands questions about the whole project or a folder of it: what it is, how it is built up. */
export function recogniseExplain(utterance: Utterance): Guess | null {
  if (namedHintIn(utterance) !== null || fileKindIn(utterance) !== null) return null;
  const folder = folderIn(utterance);
  const { lower } = utterance;
  if (hasCue(lower, 'structure')) return { score: 64, task: { intent: 'list', folder, isTree: true, isRecent: false } };
  const isAboutProject = folder !== null || hasCue(lower, 'project') || hasCue(lower, 'thisAlone');
  if (!isAboutProject || !hasCue(lower, 'explain')) return null;
  // What remains besides the project and the question is what is really asked.
  const rest = conceptWordsIn(withoutCues(utterance.text, 'explain', 'project')).filter((word) => word !== folder);
  const isThisFolder = /\b(?:this|the|current) (?:folder|directory|dir)\b|\bhere\b|(?:这个|当前|本)(?:目录|文件夹)/.test(lower);
  const isContents = (folder !== null || isThisFolder) && hasCue(lower, 'contents');
  if (isContents) return { score: 61, task: { intent: 'list', folder, isTree: false, isRecent: false } };
  return { score: rest.length === 0 ? 64 : 44, task: { intent: 'explain', folder } };
}

/** Understands requests to list a folder: "list files", "what's in src", "src 目录里有什么", "which files changed last". */
export function recogniseList(utterance: Utterance): Guess | null {
  const { lower } = utterance;
  if (namedHintIn(utterance) !== null) return null;
  const folder = folderIn(utterance);
  if (hasCue(lower, 'recent')) return { score: 67, task: { intent: 'list', folder, isTree: false, isRecent: true } };
  if (fileKindIn(utterance) !== null) return null;
  if (hasCue(lower, 'listFiles'))
    return { score: 56, task: { intent: 'list', folder, isTree: lower.startsWith('tree'), isRecent: false } };
  const asksFolder = folder !== null && (hasCue(lower, 'show') || utterance.text.length <= 2);
  return asksFolder ? { score: 54, task: { intent: 'list', folder, isTree: false, isRecent: false } } : null;
}
