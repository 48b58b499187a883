import { type Plan, PlanStop } from '../plan.ts';
import { parseFileView } from '../reading/file-view.ts';
import { filesOf, parseMatchList } from '../reading/match-list.ts';
import { bulleted, fenced, joined, listed, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { type FileHint, hintOfName } from '../understanding/file-hint.ts';
import { escaped } from '../understanding/search-term.ts';
import type { ReplaceTask } from '../understanding/task.ts';
import { type Change, textChange } from './change.ts';
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
  const found = reads.flatMap((read, at) => {
    const path = files[at] ?? '';
    const change = read.isError ? null : textChange({ path, view: parseFileView(read.text) }, task, task.subject);
    return change === null ? [] : [{ path, change }];
  });
  const changes = found.filter(({ change }) => change.edits.length > 0);
  const edits = changes.flatMap(({ path, change }) => change.edits.map((edit) => editCall(path, edit, change.isEverywhere)));
  if (found.length === 0) throw new PlanStop(say(scene, 'textNowhere', { text: task.subject }));
  if (edits.length === 0) throw new PlanStop(onlyInPathsWords(scene, task.subject, found));
  const names = listed(
    scene,
    changes.map(({ path }) => path),
  );
  const answers = yield* makeCalls(scene, say(scene, 'replacing', { from: task.subject, to: task.to, path: names }), edits);
  const failed = answers.find((answer) => answer.isError);
  if (failed !== undefined) throw failure(scene, failed);
  const left = found.filter(({ change }) => change.left.length > 0).map(({ path }) => path);
  const pathsLeft = pathPlaces(scene, found);
  return paragraphs(
    say(scene, 'replacedInFiles', { from: task.subject, to: task.to, n: changes.length, names }),
    left.length === 0 ? null : say(scene, 'leftInFiles', { from: task.subject, names: listed(scene, left) }),
    pathsLeft === '' ? null : say(scene, 'pathsLeftInFiles', { names: pathsLeft }),
    fenced(answers.map((answer) => answer.text.trim().split('\n')[0] ?? '').join('\n')),
  );
}

interface FileChange {
  readonly path: string;
  readonly change: Change;
}

/** What is said where a name stands by itself only inside quoted paths. */
export function onlyInPathsWords(scene: Scene, from: string, changes: readonly FileChange[]): string {
  return say(scene, 'onlyInPaths', { from, names: pathPlaces(scene, changes) });
}

function pathPlaces(scene: Scene, changes: readonly FileChange[]): string {
  const places = changes.flatMap(({ path, change: { paths } }) =>
    paths.length === 0 ? [] : [say(scene, 'fileAtLines', { path: shown(scene, path), n: paths.length, lines: paths.join(', ') })],
  );
  return joined(scene, places);
}

function* filesWith(scene: Scene, text: string): Plan<readonly string[]> {
  const answer = yield* mustCall(scene, say(scene, 'searching', { pattern: text }), {
    tool: 'Grep',
    input: { pattern: escaped(text), max_results: MOST_MATCHES },
  });
  return filesOf(parseMatchList(answer.text).matches);
}
