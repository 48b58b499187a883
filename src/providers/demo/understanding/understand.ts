import { hasCue } from './cues.ts';
import { followUpOf } from './follow-up.ts';
import { namedHintIn } from './file-hint.ts';
import { looksLikeCode } from './name-words.ts';
import { recogniseCount } from './recognise-count.ts';
import { recogniseDefinition, recogniseGit } from './recognise-code.ts';
import { recogniseDependency } from './recognise-dependency.ts';
import { recogniseCreate } from './recognise-create.ts';
import { recogniseFile } from './recognise-file.ts';
import { recogniseFind } from './recognise-find.ts';
import { recogniseEntry, recogniseExplain, recogniseList } from './recognise-project.ts';
import { recogniseLineChange } from './recognise-line-change.ts';
import { recogniseReplace } from './recognise-replace.ts';
import { recogniseRun, recogniseScript, recogniseTest } from './recognise-run.ts';
import { recogniseSearch } from './recognise-search.ts';
import { recogniseCreative, recogniseTalk } from './recognise-talk.ts';
import { recogniseValue } from './recognise-value.ts';
import { escaped } from './search-term.ts';
import type { Background, Guess, Task } from './task.ts';
import { firstParagraphOf, readUtterance, type Utterance } from './utterance.ts';

/** The background of a first request. */
export const NO_BACKGROUND: Background = { lastFile: null, nextLine: null, lastCommand: null, lastTask: null };

/** What a request in English or Chinese asks for. Every recogniser guesses, and the surest guess wins. */
export function understand(text: string, background: Background = NO_BACKGROUND): Task {
  const utterance = readUtterance(text);
  if (utterance.read === 'nothing') return { intent: 'talk', about: 'too_long' };
  if (hasCue(utterance.lower, 'negated')) return { intent: 'talk', about: 'declined' };
  const head = firstParagraphOf(utterance);
  const headGuess = head === null || recogniseCreate(head) !== null ? null : bestGuess(head, background);
  if (headGuess !== null && headGuess.score >= CLEAR) return headGuess.task;
  const best = bestGuess(utterance, background);
  const followUp = followUpOf(utterance, background, best);
  if (followUp !== null) return followUp;
  return best?.task ?? fallbackOf(utterance);
}

// A first paragraph that is as clear as this is the request by itself.
const CLEAR = 58;

type Recogniser = (utterance: Utterance, background: Background) => Guess | null;

const CHANGES: readonly Recogniser[] = [recogniseLineChange, recogniseReplace];

const RECOGNISERS: readonly Recogniser[] = [
  recogniseTalk,
  recogniseTest,
  recogniseRun,
  recogniseScript,
  recogniseGit,
  recogniseDependency,
  recogniseCreative,
  recogniseEntry,
  recogniseCount,
  recogniseValue,
  recogniseDefinition,
  recogniseSearch,
  recogniseFind,
  recogniseExplain,
  recogniseFile,
  recogniseList,
];

function bestGuess(utterance: Utterance, background: Background): Guess | null {
  const recognisers = [...changesFor(utterance), ...RECOGNISERS];
  const guesses = recognisers.flatMap((recognise) => recognise(utterance, background) ?? []);
  return guesses.reduce<Guess | null>((best, guess) => (best === null || guess.score > best.score ? guess : best), null);
}

// Who asks how to change something wants no change yet. The content of a new file may stand in what was not read.
function changesFor(utterance: Utterance): readonly Recogniser[] {
  if (hasCue(utterance.lower, 'asking')) return [];
  return utterance.read === 'whole' ? [...CHANGES, recogniseCreate] : CHANGES;
}

// A name and nothing else: show the file, or search for the identifier.
function fallbackOf(utterance: Utterance): Task {
  const file = namedHintIn(utterance);
  if (file !== null) return { intent: 'read', file, lines: null, also: [] };
  const word = utterance.quotes[0]?.text ?? utterance.text;
  if ((utterance.quotes.length > 0 && utterance.text.length <= 1) || (/^\S+$/.test(word) && looksLikeCode(word))) {
    return {
      intent: 'search',
      pattern: escaped(word.replace(/\(\)$/, '')),
      isRegex: false,
      ignoresCase: false,
      purpose: 'text',
      file: null,
      scope: { folder: null, glob: null },
    };
  }
  return { intent: 'talk', about: 'unknown' };
}
