import type { Plan } from '../plan.ts';
import { entriesOf } from '../reading/entries.ts';
import { parseFileList } from '../reading/file-list.ts';
import { matchEntries } from '../reading/match-entry.ts';
import { filesOf, parseMatchList } from '../reading/match-list.ts';
import { bulleted, globCall, listed, paragraphs, type Scene, say, shown } from '../scene.ts';
import type { FileHint } from '../understanding/file-hint.ts';
import { escaped } from '../understanding/search-term.ts';
import type { CountTask, CountUnit } from '../understanding/task.ts';
import { placeWords } from './find.ts';
import { openManifest } from './manifest.ts';
import { openFile } from './open-file.ts';
import { mustCall } from './steps.ts';

const MOST_MATCHES = 1000;
const MOST_ROWS = 10;

/** Counts what was asked for, from what a tool listed. */
export function* planCount(scene: Scene, task: CountTask): Plan {
  const { unit } = task;
  switch (unit.of) {
    case 'files':
    case 'folders':
      return yield* countFiles(scene, task, unit);
    case 'lines':
    case 'words':
      return yield* countText(scene, unit);
    case 'matches':
      return yield* countMatches(scene, task, unit);
    case 'entries':
      return yield* countEntries(scene, task, unit);
  }
}

type Unit<Of extends CountUnit['of']> = Extract<CountUnit, { readonly of: Of }>;

function* countFiles(scene: Scene, task: CountTask, unit: Unit<'files' | 'folders'>): Plan {
  const answer = yield* mustCall(scene, say(scene, 'listing'), globCall(unit.glob, task.scope.folder));
  const { files, total } = parseFileList(answer.text);
  const place = placeWords(scene, task.scope.folder);
  if (unit.of === 'folders') {
    const folders = new Set(files.flatMap(foldersAbove));
    return paragraphs(
      say(scene, 'foldersCounted', { n: folders.size, place }),
      bulleted(
        scene,
        [...folders].toSorted().map((name) => `\`${name}/\``),
        MOST_ROWS,
      ),
    );
  }
  const label = unit.label === '' ? '' : scene.language === 'zh' ? ` ${unit.label} ` : `${unit.label} `;
  const words = say(scene, 'filesCounted', { n: total, label, place });
  return unit.label === '' || files.length === 0
    ? words
    : paragraphs(
        words,
        bulleted(
          scene,
          files.map((file) => `\`${file}\``),
          MOST_ROWS,
        ),
      );
}

function foldersAbove(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function* countText(scene: Scene, unit: Unit<'lines' | 'words'>): Plan {
  const { path, view } = yield* openFile(scene, unit.file);
  if (unit.of === 'lines') return say(scene, 'linesCounted', { path: shown(scene, path), n: view.total });
  const text = view.lines.join('\n');
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return say(scene, view.isWhole ? 'wordsCounted' : 'wordsCountedPartly', {
    path: shown(scene, path),
    words,
    han,
    characters: text.length,
    n: view.lines.length,
  });
}

function* countMatches(scene: Scene, task: CountTask, unit: Unit<'matches'>): Plan {
  const place = yield* placeOf(scene, task, unit.file);
  const answer = yield* mustCall(scene, say(scene, 'counting'), {
    tool: 'Grep',
    input: { pattern: unit.pattern, ...place, max_results: MOST_MATCHES },
  });
  const found = parseMatchList(answer.text);
  const files = filesOf(found.matches);
  const occurrences = found.matches.reduce((sum, match) => sum + occurrencesIn(match.text, unit.pattern), 0);
  const values = {
    n: found.total,
    files: files.length,
    label: unit.label,
    occurrences,
    place: placeWords(scene, unit.file?.label ?? task.scope.folder),
  };
  const rows = files.map((file) =>
    say(scene, 'fileWithMatches', { file, n: found.matches.filter((match) => match.path === file).length }),
  );
  const words =
    unit.label === ''
      ? 'testsCounted'
      : unit.isFiles
        ? 'filesWithCounted'
        : occurrences > found.total && !found.isPartial
          ? 'occurrencesCounted'
          : 'matchesCounted';
  return paragraphs(say(scene, words, values), found.isPartial ? say(scene, 'atLeast') : null, bulleted(scene, rows, MOST_ROWS));
}

function* placeOf(scene: Scene, task: CountTask, file: FileHint | null): Plan<Record<string, unknown>> {
  const glob = task.scope.glob === null ? {} : { glob: task.scope.glob };
  if (file !== null) return { path: (yield* openFile(scene, file)).path, ...glob };
  return task.scope.folder === null ? glob : { path: task.scope.folder, ...glob };
}

function occurrencesIn(text: string, pattern: string): number {
  try {
    return Math.max(1, text.match(new RegExp(pattern, 'g'))?.length ?? 1);
  } catch {
    // Grep's regular expressions know forms that JavaScript's do not; a line that matched holds one at least.
    return 1;
  }
}

function* countEntries(scene: Scene, task: CountTask, unit: Unit<'entries'>): Plan {
  const file = unit.file === null ? yield* openManifest(scene) : yield* openFile(scene, unit.file);
  if (file === null) return say(scene, 'noManifest');
  const entries = entriesOf(file.path, file.view.lines, file.view.firstLine);
  const containers = matchEntries(
    entries.filter((entry) => entry.isContainer),
    unit.words,
  ).best;
  const [best] = containers.length > 0 ? containers : matchEntries(entries, unit.words).best;
  const path = shown(scene, file.path);
  if (best === undefined)
    return yield* countMatches(scene, task, {
      of: 'matches',
      pattern: escaped(unit.words[0] ?? ''),
      label: unit.words[0] ?? '',
      file: unit.file,
      isFiles: false,
    });
  const values = { path, key: best.keys.join('.'), value: best.value, line: best.line, n: best.size };
  return say(scene, best.isContainer ? 'entriesCounted' : 'valueIs', {
    ...values,
    names: listed(scene, best.value.split(', '), 20),
  });
}
