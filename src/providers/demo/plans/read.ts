import type { Plan } from '../plan.ts';
import { type FileView, numberedLines } from '../reading/file-view.ts';
import { fenced, listed, paragraphs, type Scene, say, shown } from '../scene.ts';
import type { LineRange } from '../understanding/line-range.ts';
import type { ReadTask } from '../understanding/task.ts';
import { type OpenedFile, openFile } from './open-file.ts';

/** How many lines of a file one answer shows at most. */
export const LINES_SHOWN = 60;
const MOST_FILES = 4;

/** Shows a file or several, or lines of them, as ReadFile gave them. */
export function* planRead(scene: Scene, task: ReadTask): Plan {
  const parts: string[] = [];
  for (const hint of [task.file, ...task.also].slice(0, MOST_FILES)) parts.push(yield* readOne(scene, { ...task, file: hint }));
  return paragraphs(...parts);
}

function* readOne(scene: Scene, task: ReadTask): Plan {
  const file = yield* openFile(scene, task.file, rangeOf(task.lines));
  if (file.view.lines.length === 0) return emptyWords(scene, file, task.lines);
  if (task.lines === null) return showWhole(scene, file);
  const { from, to } = absoluteRange(task.lines, file.view);
  const rows = numberedLines(file.view, from, to);
  if (rows === '') return say(scene, 'noSuchLines', { path: shown(scene, file.path), total: file.view.total });
  return paragraphs(
    say(scene, from === to ? 'thisLine' : 'theseLines', { path: shown(scene, file.path), from, to }),
    fenced(rows),
  );
}

/** What is said of files of the same name that were not opened. */
export function othersWords(scene: Scene, file: OpenedFile): string {
  return file.others.length === 0 ? '' : say(scene, 'otherFiles', { names: listed(scene, file.others, 4) });
}

// Lines from the end need the whole file first; `to` null reads on to ReadFile's own limit.
function rangeOf(lines: LineRange | null): { offset?: number; limit?: number } {
  if (lines === null || lines.from < 1) return {};
  return lines.to === null ? { offset: lines.from } : { offset: lines.from, limit: lines.to - lines.from + 1 };
}

function absoluteRange(lines: LineRange, view: FileView): { readonly from: number; readonly to: number } {
  const last = view.firstLine + view.lines.length - 1;
  const from = lines.from < 0 ? Math.max(view.firstLine, last + lines.from + 1) : Math.max(1, lines.from);
  return { from, to: Math.min(lines.to ?? from + LINES_SHOWN - 1, last) };
}

function showWhole(scene: Scene, file: OpenedFile): string {
  const { view } = file;
  const isCut = view.lines.length > LINES_SHOWN;
  const block = fenced(
    view.lines.slice(0, LINES_SHOWN).join('\n'),
    file.path
      .split('.')
      .at(-1)
      ?.replace(/[^a-z]/g, '') ?? '',
  );
  const head = say(scene, 'fileHas', { path: shown(scene, file.path), n: view.total });
  const rest =
    isCut || !view.isWhole
      ? say(scene, 'notShown', {
          n: view.total - Math.min(view.lines.length, LINES_SHOWN),
          from: Math.min(view.lines.length, LINES_SHOWN) + 1,
        })
      : null;
  return paragraphs(head, block, rest, othersWords(scene, file));
}

function emptyWords(scene: Scene, file: OpenedFile, lines: LineRange | null): string {
  if (lines !== null) return say(scene, 'noSuchLines', { path: shown(scene, file.path), total: file.view.total });
  return say(scene, 'emptyFile', { path: shown(scene, file.path) });
}
