import { type Plan, PlanStop } from '../plan.ts';
import { type FileView, parseFileView } from '../reading/file-view.ts';
import { firstLineOf, meantPathIn, refusalKindOf } from '../reading/refusal.ts';
import { uniqueEdit } from '../reading/spots.ts';
import { fenced, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import type { CreateTask } from '../understanding/task.ts';
import { editCall } from './edit-call.ts';
import { failure, makeCall, mustCall, requireTool } from './steps.ts';

/** Writes a file with the content that was given. A file that is there already is only replaced where that was asked for. */
export function* planCreate(scene: Scene, task: CreateTask): Plan {
  requireTool(scene, task.mode === 'append' ? 'EditFile' : 'WriteFile');
  const existing = yield* viewOf(scene, task.path);
  if (task.mode === 'append') return yield* append(scene, task, existing);
  if (existing !== null && task.mode === 'create' && existing.lines.length > 0) {
    throw new PlanStop(
      paragraphs(
        say(scene, 'existsAlready', { path: shown(scene, task.path), n: existing.total }),
        fenced(existing.lines.slice(0, 5).join('\n')),
      ),
    );
  }
  return yield* write(scene, task.path, task.content);
}

function* viewOf(scene: Scene, path: string): Plan<FileView | null> {
  const answer = yield* makeCall(scene, say(scene, 'checkingFirst', { path: shown(scene, path) }), readCall(path));
  if (!answer.isError) return parseFileView(answer.text);
  const kind = refusalKindOf(answer.text);
  if (kind === 'not_found' || kind === 'relative_path') return null;
  if (kind === 'directory') throw new PlanStop(say(scene, 'isFolder', { path: shown(scene, path) }));
  throw failure(scene, answer);
}

function* write(scene: Scene, path: string, content: string): Plan {
  const words = say(scene, 'writing', { path: shown(scene, path) });
  const answer = yield* makeCall(scene, words, { tool: 'WriteFile', input: { path, content } });
  const meant = answer.isError && refusalKindOf(answer.text) === 'relative_path' ? meantPathIn(answer.text) : null;
  const last = meant === null ? answer : yield* makeCall(scene, '', { tool: 'WriteFile', input: { path: meant, content } });
  if (last.isError) throw failure(scene, last);
  return paragraphs(
    say(scene, content === '' ? 'wroteEmpty' : 'wrote', { path: shown(scene, path), words: firstLineOf(last.text) }),
    content === '' ? null : fenced(content.replace(/\n$/, '')),
  );
}

function* append(scene: Scene, task: CreateTask, view: FileView | null): Plan {
  if (view === null || view.lines.length === 0) return yield* write(scene, task.path, `${task.content}\n`);
  const lines = view.isWhole ? view.lines : yield* lastLines(scene, task.path, view);
  const last = lines.at(-1) ?? '';
  const edit = uniqueEdit(lines, { start: lines.length - 1, end: lines.length, changed: `${last}\n${task.content}` });
  const answer = yield* mustCall(
    scene,
    say(scene, 'appending', { path: shown(scene, task.path) }),
    editCall(task.path, edit, false),
  );
  return paragraphs(say(scene, 'appended', { path: shown(scene, task.path) }), fenced(answer.text.trim()));
}

// The end of a long file: its last lines are enough to hold on to.
function* lastLines(scene: Scene, path: string, view: FileView): Plan<readonly string[]> {
  const offset = Math.max(1, view.total - 200);
  const answer = yield* mustCall(scene, '', readCall(path, { offset }));
  return parseFileView(answer.text).lines;
}
