import { conceptWordsIn } from './concept-words.ts';
import { hasCue } from './cues.ts';
import { hintOfName, namedHintIn } from './file-hint.ts';
import type { Background, Guess, Task } from './task.ts';
import type { Utterance } from './utterance.ts';

/** What a request means that only makes sense after an earlier one ("again", "and in b.ts?", "continue"), or null. */
export function followUpOf(utterance: Utterance, background: Background, best: Guess | null): Task | null {
  if (utterance.marks.length === 0 && hasCue(utterance.lower, 'continue')) return continued(background);
  if (utterance.marks.length === 0 && hasCue(utterance.lower, 'again') && (best === null || best.score < CLEAR))
    return repeated(background);
  const isSure = best !== null && best.score > SURE && !isLooseRead(best.task);
  return isSure || background.lastTask === null || !hasCue(utterance.lower, 'also')
    ? null
    : transferred(utterance, background.lastTask);
}

// A guess above this stands by itself, however it begins.
const SURE = 57;
// "run the tests again" says what to do, "run it again" does not.
const CLEAR = 75;

function isLooseRead(task: Task): boolean {
  return task.intent === 'read' && task.lines === null;
}

function continued(background: Background): Task {
  const { lastFile, nextLine } = background;
  if (lastFile === null || nextLine === null) return { intent: 'talk', about: 'nothing_before' };
  return { intent: 'read', file: hintOfName(lastFile), lines: { from: nextLine, to: null }, also: [] };
}

function repeated(background: Background): Task {
  const { lastTask, lastCommand } = background;
  if (lastTask !== null && lastTask.intent !== 'talk') return lastTask;
  return lastCommand === null ? { intent: 'talk', about: 'nothing_before' } : { intent: 'run', command: lastCommand };
}

// "and in b.ts?" asks the same of another file, "and the host?" asks another thing of the same file.
function transferred(utterance: Utterance, last: Task): Task | null {
  const file = namedHintIn(utterance);
  if (file !== null && 'file' in last) return { ...last, file };
  if (file !== null && last.intent === 'count' && 'file' in last.unit && last.unit.file !== null)
    return { ...last, unit: { ...last.unit, file } };
  if (file !== null && last.intent === 'create') return null;
  if (file !== null) return null;
  const words = conceptWordsIn(utterance.text);
  return last.intent === 'value' && words.length > 0 ? { ...last, words, hints: last.words } : null;
}
