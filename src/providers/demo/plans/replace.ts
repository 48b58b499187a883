import { type Answer, type Plan, PlanStop } from '../plan.ts';
import { nearestLines } from '../reading/match-entry.ts';
import { firstLineOf, refusalKindOf } from '../reading/refusal.ts';
import { bulleted, fenced, paragraphs, type Scene, say, shown } from '../scene.ts';
import { conceptWordsIn } from '../understanding/concept-words.ts';
import type { ReplaceTask } from '../understanding/task.ts';
import { type Change, changeIn, type TextFile } from './change.ts';
import { fileToChange, onlyInPathsWords, replaceInFiles, replaceInProject } from './change-place.ts';
import { editCall } from './edit-call.ts';
import { openFile } from './open-file.ts';
import { failure, makeCalls, requireTool } from './steps.ts';

const MOST_EDITS = 20;

/** Replaces text or a value in a file: reads it first, then edits exactly the places that are meant. */
export function* planReplace(scene: Scene, task: ReplaceTask): Plan {
  requireTool(scene, 'EditFile');
  if (task.isProjectWide) return yield* replaceInProject(scene, task);
  if (task.file !== null && task.alsoIn.length > 0)
    return yield* replaceInFiles(
      scene,
      task,
      [task.file, ...task.alsoIn].map((file) => file.path ?? file.label),
    );
  const file = yield* openFile(scene, task.file ?? (yield* fileToChange(scene, task)));
  const change = changeIn(file, task);
  if (change === null) throw notThere(scene, file, task);
  if (!('candidates' in change)) return yield* makeEdits(scene, file, change);
  const rows = change.candidates.map((entry) =>
    say(scene, 'valueRow', { key: entry.keys.join('.'), value: entry.value, line: entry.line }),
  );
  throw new PlanStop(
    paragraphs(
      say(scene, 'whichValue', { path: shown(scene, file.path), key: change.candidates[0]?.keys.join('.') ?? '', to: task.to }),
      bulleted(scene, rows, 10),
    ),
  );
}

function* makeEdits(scene: Scene, file: TextFile, change: Change): Plan {
  if (change.edits.length === 0) throw new PlanStop(onlyInPathsWords(scene, change.from, [{ path: file.path, change }]));
  if (change.from === change.to) throw new PlanStop(say(scene, 'sameText', { text: change.from }));
  const calls = change.edits.slice(0, MOST_EDITS).map((edit) => editCall(file.path, edit, change.isEverywhere));
  const words = say(scene, change.to === '' ? 'deleting' : 'replacing', {
    from: change.from,
    to: change.to,
    path: shown(scene, file.path),
  });
  const answers = yield* retryWhereNotUnique(scene, file, yield* makeCalls(scene, words, calls));
  const failed = answers.find((answer) => answer.isError);
  if (failed !== undefined) throw failure(scene, failed);
  return changeWords(scene, file, { change, answers });
}

// The part of a long file that was not read may hold the text again. All places were meant, so all are changed.
function* retryWhereNotUnique(scene: Scene, file: TextFile, answers: readonly Answer[]): Plan<readonly Answer[]> {
  const [only, ...others] = answers;
  if (only === undefined || others.length > 0 || !only.isError || refusalKindOf(only.text) !== 'not_unique') return answers;
  const edit = { oldText: String(only.call.input['old_string']), newText: String(only.call.input['new_string']) };
  return yield* makeCalls(scene, say(scene, 'severalPlaces', { words: firstLineOf(only.text) }), [
    editCall(file.path, edit, true),
  ]);
}

function changeWords(
  scene: Scene,
  file: TextFile,
  { change, answers }: { readonly change: Change; readonly answers: readonly Answer[] },
): string {
  const values = {
    path: shown(scene, file.path),
    from: change.from,
    to: change.to,
    n: change.lines.length,
    lines: [...new Set(change.lines)].join(', '),
    key: change.key ?? '',
  };
  return paragraphs(
    say(scene, change.to === '' ? 'deleted' : change.key === null ? 'replaced' : 'valueChanged', values),
    change.left.length === 0
      ? null
      : say(scene, 'leftAlone', { lines: change.left.join(', '), n: change.left.length, from: change.from }),
    change.paths.length === 0 ? null : say(scene, 'pathsLeft', { lines: change.paths.join(', '), n: change.paths.length }),
    fenced(
      answers
        .map((answer) => answer.text.trim())
        .slice(0, 3)
        .join('\n\n'),
    ),
  );
}

function notThere(scene: Scene, { path, view }: TextFile, task: ReplaceTask): PlanStop {
  const wanted = task.from ?? task.subject;
  if (wanted === '') return new PlanStop(say(scene, 'noSuchLines', { path: shown(scene, path) }));
  const head = say(scene, 'textNotThere', { path: shown(scene, path), text: wanted });
  const near = nearestLines(view.lines, [wanted, ...conceptWordsIn(task.subject)])
    .slice(0, 5)
    .toSorted((a, b) => a - b);
  const rows = near.map((index) => say(scene, 'quotedLine', { line: view.firstLine + index, text: view.lines[index] ?? '' }));
  return new PlanStop(
    paragraphs(head, rows.length === 0 ? null : say(scene, 'nearestIs'), rows.length === 0 ? null : fenced(rows.join('\n'))),
  );
}
