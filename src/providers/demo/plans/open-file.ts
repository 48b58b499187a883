import { type Answer, type Plan, PlanStop } from '../plan.ts';
import { parseFileList } from '../reading/file-list.ts';
import { type FileView, parseFileView } from '../reading/file-view.ts';
import { baseName, meantPathIn, nearPathsIn, refusalKindOf } from '../reading/refusal.ts';
import { globCall, hasTool, listed, readCall, type Scene, say, shown } from '../scene.ts';
import type { FileHint } from '../understanding/file-hint.ts';
import { failure, makeCall } from './steps.ts';

/** A file that was read. `others` are files of the same name that were not chosen. */
export interface OpenedFile {
  readonly path: string;
  readonly view: FileView;
  readonly others: readonly string[];
}

/** Part of a file: ReadFile's `offset` and `limit`. */
export interface ReadRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** Reads the file that a person named, looking for it where the name alone does not lead to it. Stops the plan where there is none. */
export function* openFile(scene: Scene, hint: FileHint, range: ReadRange = {}): Plan<OpenedFile> {
  if (hint.path === null) return yield* openByPatterns(scene, hint, range);
  const answer = yield* readAsMeant(scene, hint.path, range);
  if (!answer.isError) return openedOf(answer, []);
  if (refusalKindOf(answer.text) === 'directory') throw new PlanStop(say(scene, 'isFolder', { path: shown(scene, hint.path) }));
  if (refusalKindOf(answer.text) !== 'not_found') throw failure(scene, answer);
  if (hint.longerPath !== undefined) {
    const longer = yield* readAsMeant(scene, hint.longerPath, range);
    if (!longer.isError) return openedOf(longer, []);
  }
  return yield* openNearby(scene, { hint, range, refusal: answer.text });
}

/** The most likely file of those that a search found: the right name first, then the least deep, then the shortest path. */
export function likeliest(files: readonly string[], name: string): string | undefined {
  const wanted = baseName(name).toLowerCase();
  const depth = (path: string): number => path.split('/').length;
  const isExact = (path: string): number => (baseName(path).toLowerCase() === wanted ? 0 : 1);
  return files.toSorted((a, b) => isExact(a) - isExact(b) || depth(a) - depth(b) || a.length - b.length || (a < b ? -1 : 1))[0];
}

// A relative path may be refused with the absolute one that was probably meant.
function* readAsMeant(scene: Scene, path: string, range: ReadRange): Plan<Answer> {
  const answer = yield* makeCall(scene, say(scene, 'reading', { path: shown(scene, path) }), readCall(path, range));
  if (!answer.isError || refusalKindOf(answer.text) !== 'relative_path') return answer;
  const meant = meantPathIn(answer.text);
  return meant === null ? answer : yield* makeCall(scene, '', readCall(meant, range));
}

interface Missing {
  readonly hint: FileHint;
  readonly range: ReadRange;
  readonly refusal: string;
}

function* openNearby(scene: Scene, missing: Missing): Plan<OpenedFile> {
  const { hint, range, refusal } = missing;
  const path = hint.path ?? hint.label;
  const near = nearPathsIn(refusal, path);
  const sameName = near.find((other) => baseName(other).toLowerCase() === baseName(path).toLowerCase());
  if (sameName !== undefined) {
    const answer = yield* makeCall(
      scene,
      say(scene, 'readingInstead', { path: shown(scene, sameName) }),
      readCall(sameName, range),
    );
    if (!answer.isError) return openedOf(answer, []);
  }
  if (!hasTool(scene, 'Glob')) throw missingFile(scene, hint.label, near);
  const found = yield* filesNamed(scene, baseName(path));
  const choice = likeliest(found, path);
  if (choice === undefined) throw missingFile(scene, hint.label, near);
  const answer = yield* makeCall(scene, say(scene, 'readingInstead', { path: shown(scene, choice) }), readCall(choice, range));
  if (answer.isError) throw failure(scene, answer);
  return openedOf(
    answer,
    found.filter((file) => file !== choice),
  );
}

function* filesNamed(scene: Scene, name: string): Plan<readonly string[]> {
  const search = say(scene, 'lookingFor', { name });
  const exact = yield* makeCall(scene, search, globCall(`**/${name}`));
  const files = exact.isError ? [] : parseFileList(exact.text).files;
  const stem = name.replace(/\.[^.]*$/, '');
  if (files.length > 0 || stem === '' || stem === name) return files;
  const loose = yield* makeCall(scene, '', globCall(`**/${stem}.*`));
  return loose.isError ? [] : parseFileList(loose.text).files;
}

function* openByPatterns(scene: Scene, hint: FileHint, range: ReadRange): Plan<OpenedFile> {
  for (const pattern of hint.patterns) {
    const answer = yield* makeCall(scene, say(scene, 'lookingFor', { name: hint.label }), globCall(pattern));
    const files = answer.isError ? [] : parseFileList(answer.text).files;
    const choice = likeliest(files, hint.label);
    if (choice === undefined) continue;
    const read = yield* makeCall(scene, '', readCall(choice, range));
    if (read.isError) throw failure(scene, read);
    return openedOf(
      read,
      files.filter((file) => file !== choice),
    );
  }
  throw missingFile(scene, hint.label, []);
}

function openedOf(answer: Answer, others: readonly string[]): OpenedFile {
  return { path: String(answer.call.input['path']), view: parseFileView(answer.text), others };
}

function missingFile(scene: Scene, label: string, near: readonly string[]): PlanStop {
  const hint = near.length > 0 ? say(scene, 'nearNames', { names: listed(scene, near, 3) }) : '';
  return new PlanStop(`${say(scene, 'noSuchFile', { path: label })}${hint}`);
}
