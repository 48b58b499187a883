import { isJsonObject, type JsonObject } from '../../../core/json-value.ts';
import { type Answer, type Plan, PlanStop } from '../plan.ts';
import { parseFileList } from '../reading/file-list.ts';
import { parseFileView } from '../reading/file-view.ts';
import { globCall, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { describeFile } from './describe.ts';
import usualEntries from './usual-entries.json' with { type: 'json' };
import { packageObject, scriptsOf } from './manifest.ts';
import { makeCall, makeCalls, mustCall } from './steps.ts';

/** A file that may be the entry, and what names it. `source` null: only its name is usual for an entry. */
interface Candidate {
  readonly path: string;
  readonly source: string | null;
}

/** Finds the file a project starts from, and says what is in it. */
export function* planEntry(scene: Scene): Plan {
  const manifest = yield* makeCall(scene, say(scene, 'readingManifest'), readCall('package.json'));
  const named = candidatesOf(packageObject(manifest));
  const choice = (yield* firstThatExists(scene, named)) ?? (yield* scriptOfPython(scene));
  if (choice === null)
    throw new PlanStop(say(scene, named.length === 0 ? 'noEntry' : 'entryMissing', { path: `\`${named[0]?.path ?? ''}\`` }));
  const answer = yield* mustCall(scene, say(scene, 'reading', { path: shown(scene, choice.path) }), readCall(choice.path));
  const file = { path: choice.path, view: parseFileView(answer.text), others: [] };
  const missing =
    choice.source === null && named[0] !== undefined
      ? say(scene, 'entryNotBuilt', { path: named[0].path, source: named[0].source ?? '' })
      : null;
  return paragraphs(reasonFor(scene, choice), missing, describeFile(scene, file));
}

function reasonFor(scene: Scene, choice: Candidate): string {
  const path = shown(scene, choice.path);
  return choice.source === null
    ? say(scene, 'entryByName', { path })
    : say(scene, 'entryBySource', { path, source: choice.source });
}

// One Glob tells which of all candidates exist.
function* firstThatExists(scene: Scene, named: readonly Candidate[]): Plan<Candidate | null> {
  const usual = usualEntries.map((path) => ({ path, source: null }));
  const pattern = `{${[...new Set([...named.map((candidate) => candidate.path), ...usualEntries])].join(',')}}`;
  const answer = yield* makeCall(scene, say(scene, 'lookingForEntry'), globCall(pattern));
  const files = answer.isError ? [] : parseFileList(answer.text).files;
  for (const candidate of [...named, ...usual]) {
    const file = files.find((path) => matches(path, candidate.path));
    if (file !== undefined) return { ...candidate, path: file };
  }
  return yield* ignoredEntry(scene, named[0]);
}

// An entry that is built into a folder that git ignores is not listed, but it can be read.
function* ignoredEntry(scene: Scene, candidate: Candidate | undefined): Plan<Candidate | null> {
  if (candidate === undefined) return null;
  const answer = yield* makeCall(scene, '', readCall(candidate.path));
  return answer.isError ? null : candidate;
}

function* scriptOfPython(scene: Scene): Plan<Candidate | null> {
  const [answer] = yield* makeCalls(scene, '', [readCall('pyproject.toml')]);
  const module =
    answer === undefined || answer.isError ? undefined : /^\d+\t\s*[\w-]+\s*=\s*"([\w.]+):\w+"/m.exec(answer.text)?.[1];
  if (module === undefined) return null;
  const path = `${module.replaceAll('.', '/')}.py`;
  const found: Answer = yield* makeCall(scene, '', globCall(`{${path},src/${path}}`));
  const file = found.isError ? undefined : parseFileList(found.text).files[0];
  return file === undefined ? null : { path: file, source: 'pyproject.toml' };
}

function candidatesOf(manifest: JsonObject | null): readonly Candidate[] {
  if (manifest === null) return [];
  const fields = ['bin', 'main', 'module', 'exports'].flatMap((field) =>
    pathsIn(manifest[field]).map((path) => ({ path, source: `\`${field}\`` })),
  );
  const scripts = [...scriptsOf(manifest)].filter(([name]) => ['start', 'dev', 'serve'].includes(name));
  const started = scripts.flatMap(([name, command]) => filesIn(command).map((path) => ({ path, source: `\`scripts.${name}\`` })));
  return [...fields, ...started].map((candidate) => ({ ...candidate, path: candidate.path.replace(/^\.\//, '') }));
}

// Paths are strings, or the values of nested conditions such as exports["."].default; type declarations run nowhere.
function pathsIn(field: unknown): readonly string[] {
  if (typeof field === 'string') return /\.d\.[cm]?ts$|\*|\.json$/.test(field) ? [] : [field];
  return isJsonObject(field) ? Object.values(field).flatMap(pathsIn) : [];
}

function filesIn(command: string): readonly string[] {
  return command.split(/\s+/).filter((word) => /^[\w./-]+\.(?:[mc]?[jt]sx?|py|rb|php|sh)$/.test(word));
}

function matches(path: string, pattern: string): boolean {
  if (!pattern.includes('*')) return path === pattern;
  const source = pattern
    .replaceAll(/[.+()[\]]/g, String.raw`\$&`)
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${source}$`).test(path);
}
