import type { Plan } from '../plan.ts';
import { entriesOf } from '../reading/entries.ts';
import type { Entry } from '../reading/entry.ts';
import { parseFileList } from '../reading/file-list.ts';
import { type FileView, lineAt, numberedLines, parseFileView } from '../reading/file-view.ts';
import { matchEntries, nearestLines } from '../reading/match-entry.ts';
import { bulleted, fenced, globCall, joined, listed, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { conceptsOfName } from '../understanding/content-words.ts';
import type { ValueTask } from '../understanding/task.ts';
import { openManifest } from './manifest.ts';
import { openFile } from './open-file.ts';
import { makeCall, makeCalls } from './steps.ts';

const MOST_TIES = 6;
const MOST_NEAR = 5;
const MOST_CONFIGS = 4;

/** Answers a question for a value from the lines of a file. */
export function* planValue(scene: Scene, task: ValueTask): Plan {
  if (task.isManifest) return yield* fromManifest(scene, task);
  if (task.file === null) return yield* fromSomeConfig(scene, task);
  const file = yield* openFile(scene, task.file);
  return answerFrom(scene, file, task) ?? nothingFound(scene, file, task);
}

interface ReadFile {
  readonly path: string;
  readonly view: FileView;
}

function* fromManifest(scene: Scene, task: ValueTask): Plan {
  const manifest = yield* openManifest(scene);
  if (manifest === null) return say(scene, 'noManifest');
  const [first, ...rest] = task.words;
  // "how do I run the tests?" asks for scripts.test, and for all scripts where there is no such one.
  const narrow = answerFrom(scene, manifest, task);
  if (narrow !== null || first === undefined || rest.length === 0) return narrow ?? nothingFound(scene, manifest, task);
  return answerFrom(scene, manifest, { ...task, words: [first] }) ?? nothingFound(scene, manifest, task);
}

function* fromSomeConfig(scene: Scene, task: ValueTask): Plan {
  const answer = yield* makeCall(scene, say(scene, 'lookingForConfig'), globCall(CONFIGS));
  const files = answer.isError ? [] : parseFileList(answer.text).files;
  const likely = files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.length - b.length).slice(0, MOST_CONFIGS);
  if (likely.length === 0) return say(scene, 'noConfig', { words: listed(scene, task.words) });
  const reads = yield* makeCalls(
    scene,
    say(scene, 'reading', {
      path: joined(
        scene,
        likely.map((file) => shown(scene, file)),
      ),
    }),
    likely.map((file) => readCall(file)),
  );
  const views = reads.flatMap((read, at) => (read.isError ? [] : [{ path: likely[at] ?? '', view: parseFileView(read.text) }]));
  for (const isFull of [true, false]) {
    for (const file of views) {
      const words = answerFrom(scene, file, task, isFull);
      if (words !== null) return words;
    }
  }
  return say(scene, 'notInConfigs', { words: listed(scene, task.words), files: listed(scene, likely) });
}

const CONFIGS = '**/{*config*.*,*settings*.*,.env*,application*.*,*.yaml,*.yml,*.toml,*.ini,*.conf,*.properties,package.json}';

function rankOf(path: string): number {
  const name = path.split('/').at(-1) ?? '';
  const kind = /^(?:config|settings|application|\.env)/.test(name) ? 0 : /config|settings/.test(name) ? 1 : 2;
  return kind + path.split('/').length * 3 + (/(?:^|\/)(?:tsconfig|vitest|vite|eslint|jest|babel|prettier)/.test(path) ? 4 : 0);
}

/** The answer where an entry of the file fits the words; null where none does. `isFull`: all words have to fit. */
function answerFrom(scene: Scene, file: ReadFile, task: ValueTask, isFull = false): string | null {
  const match = matchEntries(entriesOf(file.path, file.view.lines, file.view.firstLine), task.words);
  const { unmatched } = match;
  const hinted = match.best.filter((entry) => entry.keys.flatMap(conceptsOfName).some((word) => task.hints.includes(word)));
  const best = match.best.length > 1 && hinted.length > 0 ? hinted : match.best;
  const [first] = best;
  if (first === undefined || (isFull && unmatched.length > 0)) return null;
  const path = shown(scene, file.path);
  const doubt = unmatched.length > 0 ? say(scene, 'unmatchedWords', { words: listed(scene, unmatched) }) : null;
  if (best.length === 1) return paragraphs(doubt, entryWords(scene, first, path), quoteOf(scene, file, first));
  const rows = best
    .slice(0, MOST_TIES)
    .map((entry) => say(scene, 'valueRow', { key: nameOf(entry), value: entry.value, line: entry.line }));
  return paragraphs(doubt, say(scene, 'severalValues', { path, n: best.length }), bulleted(scene, rows, MOST_TIES));
}

function entryWords(scene: Scene, entry: Entry, path: string): string {
  const values = { path, key: nameOf(entry), value: entry.value, line: entry.line, n: entry.size };
  return say(scene, entry.isContainer ? (entry.size === 0 ? 'emptySection' : 'sectionIs') : 'valueIs', values);
}

function quoteOf(scene: Scene, file: ReadFile, entry: Entry): string {
  if (entry.isContainer) return fenced(numberedLines(file.view, entry.line, entry.line + Math.min(entry.size + 1, 12)));
  return fenced(say(scene, 'quotedLine', { line: entry.line, text: lineAt(file.view, entry.line) }));
}

function nameOf(entry: Entry): string {
  return entry.keys.reduce((name, key) => (/^\d+$/.test(key) ? `${name}[${key}]` : `${name === '' ? '' : `${name}.`}${key}`), '');
}

/** What is said where no value fits: the lines that come nearest, or the file itself where it was only to be shown. */
function nothingFound(scene: Scene, file: ReadFile, task: ValueTask): string {
  const { view } = file;
  const near = nearestLines(view.lines, task.words)
    .slice(0, MOST_NEAR)
    .toSorted((a, b) => a - b);
  const values = { path: shown(scene, file.path), words: listed(scene, task.words), n: view.total };
  if (near.length > 0) {
    const rows = near.map((index) => say(scene, 'quotedLine', { line: view.firstLine + index, text: view.lines[index] ?? '' }));
    return paragraphs(say(scene, 'nearestLines', values), fenced(rows.join('\n')));
  }
  const start = view.lines.slice(0, 15).join('\n');
  return paragraphs(
    say(scene, 'noValue', values),
    view.lines.length === 0 ? null : say(scene, 'firstLines'),
    view.lines.length === 0 ? null : fenced(start),
  );
}
