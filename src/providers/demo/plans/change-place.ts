import { type Plan, PlanStop } from '../plan.ts';
import { parseFileView } from '../reading/file-view.ts';
import { filesOf, parseMatchList } from '../reading/match-list.ts';
import { bulleted, fenced, listed, paragraphs, readCall, type Scene, say } from '../scene.ts';
import { type FileHint, hintOfName } from '../understanding/file-hint.ts';
import { escaped } from '../understanding/search-term.ts';
import type { ReplaceTask } from '../understanding/task.ts';
import { textChange } from './change.ts';
import { editCall } from './edit-call.ts';
import { failure, makeCalls, mustCall } from './steps.ts';

const MOST_FILES = 8;
const MOST_MATCHES = 1000;

/** The one file that has the text, where a request names none. Stops the plan where there are none or several. */
export function* fileToChange(scene: Scene, task: ReplaceTask): Plan<FileHint> {
  const text = task.from ?? task.subject;
  const files = yield* filesWith(scene, text);
  const [only, ...others] = files;
  if (only === undefined) throw new PlanStop(say(scene, 'textNowhere', { text }));
  if (others.length > 0)
    throw new PlanStop(
      paragraphs(
        say(scene, 'whichOfFiles', { text, n: files.length }),
        bulleted(
          scene,
          files.map((file) => `\`${file}\``),
          10,
        ),
      ),
    );
  return hintOfName(only);
}

/** Replaces a text in every file of the project that has it. */
export function* replaceInProject(scene: Scene, task: ReplaceTask): Plan {
  const files = yield* filesWith(scene, task.subject);
  if (files.length === 0) throw new PlanStop(say(scene, 'textNowhere', { text: task.subject }));
  if (files.length > MOST_FILES)
    throw new PlanStop(say(scene, 'tooManyFiles', { n: files.length, most: MOST_FILES, names: listed(scene, files, 10) }));
  return yield* replaceInFiles(scene, task, files);
}

/** Replaces a text in some files: reads them all, then edits those that have it. */
export function* replaceInFiles(scene: Scene, task: ReplaceTask, files: readonly string[]): Plan {
  const reads = yield* makeCalls(
    scene,
    say(scene, 'reading', { path: listed(scene, files) }),
    files.map((file) => readCall(file)),
  );
  const changes = reads.flatMap((read, at) => {
    const path = files[at] ?? '';
    const change = read.isError ? null : textChange({ path, view: parseFileView(read.text) }, task, task.subject);
    return change === null ? [] : [{ path, change }];
  });
  const edits = changes.flatMap(({ path, change }) => change.edits.map((edit) => editCall(path, edit, change.isEverywhere)));
  if (edits.length === 0) throw new PlanStop(say(scene, 'textNowhere', { text: task.subject }));
  const names = listed(
    scene,
    changes.map(({ path }) => path),
  );
  const answers = yield* makeCalls(scene, say(scene, 'replacing', { from: task.subject, to: task.to, path: names }), edits);
  const failed = answers.find((answer) => answer.isError);
  if (failed !== undefined) throw failure(scene, failed);
  const left = changes.filter(({ change }) => change.left.length > 0).map(({ path }) => path);
  return paragraphs(
    say(scene, 'replacedInFiles', { from: task.subject, to: task.to, n: changes.length, names }),
    left.length === 0 ? null : say(scene, 'leftInFiles', { from: task.subject, names: listed(scene, left) }),
    fenced(answers.map((answer) => answer.text.trim().split('\n')[0] ?? '').join('\n')),
  );
}

function* filesWith(scene: Scene, text: string): Plan<readonly string[]> {
  const answer = yield* mustCall(scene, say(scene, 'searching', { pattern: text }), {
    tool: 'Grep',
    input: { pattern: escaped(text), max_results: MOST_MATCHES },
  });
  return filesOf(parseMatchList(answer.text).matches);
}
