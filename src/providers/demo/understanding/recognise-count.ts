import { conceptWordsIn } from './concept-words.ts';
import { hasCue, withoutCues } from './cues.ts';
import { type FileHint, fileHintIn } from './file-hint.ts';
import { type FileKind, fileKindIn } from './file-kind.ts';
import { folderIn } from './folder-words.ts';
import { type SearchTerm, searchTermIn } from './search-term.ts';
import type { Background, CountUnit, Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "how many": files, folders, lines, words, tests, occurrences, and entries of a file such as dependencies. */
export function recogniseCount(utterance: Utterance, background: Background): Guess | null {
  const { lower } = utterance;
  if (!hasCue(lower, 'count') || hasCue(lower, 'runVerb')) return null;
  if (/commits?\b|提交/.test(lower)) return { score: 75, task: { intent: 'run', command: 'git rev-list --count HEAD' } };
  const facts: Facts = {
    utterance,
    file: fileHintIn(utterance, background.lastFile),
    term: searchTermIn(utterance),
    kind: fileKindIn(utterance),
    hasFiles: hasCue(lower, 'filesUnit'),
  };
  // The functions of a file are told by its outline.
  if (facts.file !== null && hasCue(lower, 'members') && facts.term?.isMarked !== true) return null;
  const unit = firstUnit(facts);
  if (unit === null) return null;
  const glob = unit.of === 'matches' ? (facts.kind?.glob ?? null) : null;
  return { score: 75, task: { intent: 'count', unit, scope: { folder: folderIn(utterance), glob } } };
}

interface Facts {
  readonly utterance: Utterance;
  readonly file: FileHint | null;
  readonly term: SearchTerm | null;
  readonly kind: FileKind | null;
  readonly hasFiles: boolean;
}

function firstUnit(facts: Facts): CountUnit | null {
  for (const unitOf of [textUnit, markedUnit, testUnit, folderUnit, fileUnit, looseUnit]) {
    const unit = unitOf(facts);
    if (unit !== null) return unit;
  }
  return null;
}

// "how many lines has a.ts", README 有多少字
function textUnit({ utterance, file, term }: Facts): CountUnit | null {
  if (file === null || term?.isMarked === true) return null;
  if (hasCue(utterance.lower, 'wordsUnit') && !/\bthe words?\b/.test(utterance.lower)) return { of: 'words', file };
  return hasCue(utterance.lower, 'linesUnit') ? { of: 'lines', file } : null;
}

function markedUnit({ utterance, file, term, hasFiles }: Facts): CountUnit | null {
  if (term === null || !term.isMarked) return null;
  return matchesOf(term, file, hasFiles && hasCue(utterance.lower, 'containing'));
}

const TESTS: CountUnit = {
  of: 'matches',
  pattern: String.raw`^\s*(?:test|it)(?:\.\w+)*\(|^\s*(?:async )?def test_|^\s*#\[test\]|^func Test`,
  label: '',
  file: null,
  isFiles: false,
};

// "how many tests" counts test cases, "how many test files" files.
function testUnit({ utterance, file }: Facts): CountUnit | null {
  const isFiles = /(?:test|测试) ?(?:files?|文件)/.test(utterance.lower);
  return file === null && hasCue(utterance.lower, 'testCases') && !isFiles ? TESTS : null;
}

function folderUnit({ utterance, hasFiles }: Facts): CountUnit | null {
  const isPlace = /\b(?:in|inside|of|does) (?:this|the) (?:folder|directory)\b|(?:这个|该|当前)(?:目录|文件夹)/.test(
    utterance.lower,
  );
  return hasCue(utterance.lower, 'foldersUnit') && !hasFiles && !isPlace ? { of: 'folders', glob: '**/*', label: '' } : null;
}

function fileUnit({ utterance, file, term, kind, hasFiles }: Facts): CountUnit | null {
  if (kind !== null) return { of: 'files', glob: kind.glob, label: kind.label };
  const isContaining = term !== null && hasCue(withoutCues(utterance.lower, 'count'), 'containing');
  if (hasFiles && isContaining) return matchesOf(term, file, true);
  return hasFiles && file === null ? { of: 'files', glob: '**/*', label: '' } : null;
}

const COUNTABLE = new Set(['dependencies', 'scripts', 'keywords', 'engines']);

// What is left: occurrences of a word, entries such as dependencies, or the length of a file.
function looseUnit({ utterance, file, term }: Facts): CountUnit | null {
  if (term !== null && hasCue(utterance.lower, 'occurrence')) return matchesOf(term, file, false);
  const words = conceptWordsIn(withoutCues(utterance.text, 'count'));
  const isEntries = (file !== null && words.length > 0) || words.some((word) => COUNTABLE.has(word));
  if (isEntries) return { of: 'entries', words, file };
  if (term !== null) return matchesOf(term, file, false);
  return file === null ? null : { of: 'lines', file };
}

function matchesOf({ pattern, label }: SearchTerm, file: FileHint | null, isFiles: boolean): CountUnit {
  return { of: 'matches', pattern, label, file, isFiles };
}
