import type { Plan } from '../plan.ts';
import { parseFileList } from '../reading/file-list.ts';
import { bulleted, globCall, joined, paragraphs, type Scene, say } from '../scene.ts';
import type { FindTask, ListTask } from '../understanding/task.ts';
import { folderSummary } from './folder-summary.ts';
import { mustCall } from './steps.ts';

const MOST_LISTED = 40;
const MOST_RECENT = 10;

/** Lists the files of a kind or name. */
export function* planFind(scene: Scene, task: FindTask): Plan {
  const answer = yield* mustCall(scene, say(scene, 'lookingFor', { name: task.glob }), globCall(task.glob, task.folder));
  const { files, total } = parseFileList(answer.text);
  const place = placeWords(scene, task.folder);
  if (files.length === 0) return say(scene, 'noFiles', { label: task.label, place });
  return paragraphs(
    say(scene, 'filesFound', { n: total, label: task.label, place }),
    bulleted(scene, codes(files.map((file) => (task.folder === null ? file : `${task.folder}/${file}`))), MOST_LISTED),
  );
}

/** Lists a folder: its files, its structure, or what changed last. */
export function* planList(scene: Scene, task: ListTask): Plan {
  const answer = yield* mustCall(scene, say(scene, 'listing'), globCall('**/*', task.folder));
  const { files, total } = parseFileList(answer.text);
  const place = placeWords(scene, task.folder);
  if (files.length === 0) return say(scene, 'noFiles', { label: '', place });
  if (task.isRecent) return paragraphs(say(scene, 'recentFiles', { place }), bulleted(scene, codes(files.slice(0, MOST_RECENT))));
  const { folders, kinds, top } = folderSummary(files);
  const counts = joined(
    scene,
    folders.map(([name, count]) => say(scene, 'folderCount', { name, n: count })),
    12,
  );
  return paragraphs(
    say(scene, 'folderHas', { place, n: total }),
    folders.length === 0 ? null : say(scene, 'folders', { names: counts }),
    say(scene, 'kinds', {
      names: joined(
        scene,
        kinds.map(([name, count]) => `${name} × ${count}`),
        8,
      ),
    }),
    bulleted(scene, codes(task.isTree || top.length === 0 ? treeOrder(files) : top), MOST_LISTED),
  );
}

/** Where a search looked, as the end of a sentence; empty for the whole project. */
export function placeWords(scene: Scene, folder: string | null): string {
  return folder === null ? '' : say(scene, 'inFolder', { folder });
}

function codes(files: readonly string[]): readonly string[] {
  return files.map((file) => `\`${file}\``);
}

function treeOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => (a < b ? -1 : 1));
}
