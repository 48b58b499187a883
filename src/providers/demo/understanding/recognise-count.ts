import { conceptWordsIn } from './concept-words.ts';
import { hasCue, withoutCues } from './cues.ts';
import { fileHintIn } from './file-hint.ts';
import { fileKindIn } from './file-kind.ts';
import { folderIn } from './folder-words.ts';
import { searchTermIn } from './search-term.ts';
import type { Background, CountUnit, Guess } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "how many": files, folders, lines, words, tests, occurrences, and entries of a file such as dependencies. */
export function recogniseCount(utterance: Utterance, background: Background): Guess | null {
  if (!hasCue(utterance.lower, 'count') || hasCue(utterance.lower, 'runVerb')) return null;
  if (/commits?\b|提交/.test(utterance.lower))
    return { score: 75, task: { intent: 'run', command: 'git rev-list --count HEAD' } };
  const unit = unitOf(utterance, background);
  if (unit === null) return null;
  const kind = unit.of === 'matches' ? fileKindIn(utterance) : null;
  return { score: 75, task: { intent: 'count', unit, scope: { folder: folderIn(utterance), glob: kind?.glob ?? null } } };
}

function unitOf(utterance: Utterance, background: Background): CountUnit | null {
  const { lower } = utterance;
  const file = fileHintIn(utterance, background.lastFile);
  const term = searchTermIn(utterance);
  const hasFiles = hasCue(lower, 'filesUnit');
  if (file !== null && (term === null || !term.isMarked) && hasCue(lower, 'wordsUnit') && !/\bthe words?\b/.test(lower))
    return { of: 'words', file };
  if (file !== null && (term === null || !term.isMarked) && hasCue(lower, 'linesUnit')) return { of: 'lines', file };
  if (term !== null && term.isMarked)
    return { of: 'matches', pattern: term.pattern, label: term.label, file, isFiles: hasFiles && hasCue(lower, 'containing') };
  if (
    file === null &&
    hasCue(lower, 'testCases') &&
    fileKindIn(utterance)?.label !== '测试文件' &&
    !/(?:test|测试) ?(?:files?|文件)/.test(lower)
  )
    return TESTS;
  if (
    hasCue(lower, 'foldersUnit') &&
    !hasFiles &&
    !/\b(?:in|inside|of|does) (?:this|the) (?:folder|directory)\b|(?:这个|该|当前)(?:目录|文件夹)/.test(lower)
  )
    return { of: 'folders', glob: '**/*', label: '' };
  const kind = fileKindIn(utterance);
  if (hasFiles && term !== null && hasCue(withoutCues(lower, 'count'), 'containing') && kind === null)
    return { of: 'matches', pattern: term.pattern, label: term.label, file, isFiles: true };
  if (kind !== null) return { of: 'files', glob: kind.glob, label: kind.label };
  if (hasFiles && file === null) return { of: 'files', glob: '**/*', label: '' };
  // The functions of a file are told by its outline.
  if (file !== null && hasCue(lower, 'members')) return null;
  if (term !== null && hasCue(lower, 'occurrence'))
    return { of: 'matches', pattern: term.pattern, label: term.label, file, isFiles: false };
  const words = conceptWordsIn(withoutCues(utterance.text, 'count'));
  const isEntries = (file !== null && words.length > 0) || words.some((word) => COUNTABLE.has(word));
  if (isEntries) return { of: 'entries', words, file };
  if (term !== null) return { of: 'matches', pattern: term.pattern, label: term.label, file, isFiles: false };
  return file === null ? null : { of: 'lines', file };
}

const TESTS: CountUnit = {
  of: 'matches',
  pattern: String.raw`^\s*(?:test|it)(?:\.\w+)*\(|^\s*(?:async )?def test_|^\s*#\[test\]|^func Test`,
  label: '',
  file: null,
  isFiles: false,
};
const COUNTABLE = new Set(['dependencies', 'scripts', 'keywords', 'engines']);
