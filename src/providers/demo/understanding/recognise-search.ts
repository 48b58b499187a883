import { hasCue } from './cues.ts';
import { fileKindIn } from './file-kind.ts';
import { describedHintIn, namedHintIn } from './file-hint.ts';
import { folderIn } from './folder-words.ts';
import { conceptWordsIn } from './concept-words.ts';
import { type SearchTerm, searchTermIn } from './search-term.ts';
import type { Guess, SearchTask } from './task.ts';
import type { Utterance } from './utterance.ts';

/** Understands "search for X", "where is X defined", "哪里用到了 X", "which files mention X". */
export function recogniseSearch(utterance: Utterance): Guess | null {
  const term = searchTermIn(utterance);
  if (term === null || term.label === folderIn(utterance)) return null;
  const score = scoreOf(utterance, term);
  if (score === 0) return null;
  const { pattern, isRegex } = term;
  const ignoresCase = /\b(?:ignor\w+ case|case[- ]?insensitive\w*|any case)\b|忽略大小写|不(?:区)?分大小写/.test(utterance.lower);
  const scope = { folder: folderIn(utterance), glob: fileKindIn(utterance)?.glob ?? null };
  return {
    score,
    task: {
      intent: 'search',
      pattern,
      isRegex,
      ignoresCase,
      purpose: purposeOf(utterance),
      file: term.isFileName ? null : namedHintIn(utterance),
      scope,
    },
  };
}

// "where", "find" and "which" are words of other intents too; a term that is marked tips the scale.
function scoreOf(utterance: Utterance, term: SearchTerm): number {
  const { lower } = utterance;
  if (!term.isMarked && namedHintIn(utterance) !== null && /(?:多少|什么|啥|哪个|谁)(?:呢|啊)?$/.test(lower)) return 57;
  if (!term.isMarked && describedHintIn(lower, utterance.language) !== null) return 55;
  // "what does the \"scripts\" section of package.json contain" asks for what is there, not where.
  if (namedHintIn(utterance) !== null && /^what (?:does|is|are)\b/.test(lower) && !/\b(?:mention|use|import|call)/.test(lower))
    return 55;
  if (hasCue(lower, 'search')) return isConfigQuestion(utterance, term) ? 59 : 68;
  const asksPlace = hasCue(lower, 'where') || (hasCue(lower, 'find') && (hasCue(lower, 'used') || hasCue(lower, 'defined')));
  if (asksPlace) return term.isMarked || hasCue(lower, 'used') || hasCue(lower, 'defined') ? 68 : 57;
  if (/\b(?:find|locate|list|show|any)\b|找|列出|列一下|列举|哪些|还有|剩/.test(lower)) return term.isMarked ? 67 : 55;
  return term.isMarked && hasCue(lower, 'exists') ? 67 : 0;
}

// "look for the port in config.json" asks for a value that the file holds.
function isConfigQuestion(utterance: Utterance, term: SearchTerm): boolean {
  const file = namedHintIn(utterance);
  if (term.isMarked || file === null || /\b(?:search|grep|occurrence|mention)|搜/.test(utterance.lower)) return false;
  return /\.(?:json|ya?ml|toml|ini|env|cfg|conf|properties)$/.test(file.label) && conceptWordsIn(term.label).length > 0;
}

function purposeOf(utterance: Utterance): SearchTask['purpose'] {
  const { lower } = utterance;
  if (
    /\b(?:which|what|list|find)(?: me)?(?: all)?(?: the)? (?:\w+ )?files?\b|哪些.{0,6}文件|哪个文件|的(?:所有)?文件/.test(
      lower,
    ) &&
    !hasCue(lower, 'defined') &&
    !/\bfiles? for\b/.test(lower)
  )
    return 'files';
  if (hasCue(lower, 'defined')) return 'defined';
  return hasCue(lower, 'used') && !/\b(?:contain|mention)|包含|提到|出现/.test(lower) ? 'used' : 'text';
}
