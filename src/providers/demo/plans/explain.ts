import { isJsonObject, type JsonObject } from '../../../core/json-value.ts';
import type { Answer, Plan } from '../plan.ts';
import { parseFileList } from '../reading/file-list.ts';
import { type FileView, parseFileView } from '../reading/file-view.ts';
import { entriesOf } from '../reading/entries.ts';
import { globCall, joined, listed, paragraphs, readCall, type Scene, say } from '../scene.ts';
import type { ExplainTask } from '../understanding/task.ts';
import { placeWords } from './find.ts';
import { folderSummary } from './folder-summary.ts';
import { packageObject, scriptsOf } from './manifest.ts';
import { likeliest } from './open-file.ts';
import { failure, makeCall, makeCalls, mustCall } from './steps.ts';

/** Says what a project or a folder is, from its README, its manifest and the names of its files. */
export function* planExplain(scene: Scene, task: ExplainTask): Plan {
  return task.folder === null ? yield* explainProject(scene) : yield* explainFolder(scene, task.folder);
}

function* explainProject(scene: Scene): Plan {
  const [listing, manifest] = yield* makeCalls(scene, say(scene, 'lookingAround'), [globCall('**/*'), readCall('package.json')]);
  if (listing === undefined || manifest === undefined) throw new Error('a round answered fewer calls than it made');
  if (listing.isError) throw failure(scene, listing);
  const { files, total } = parseFileList(listing.text);
  if (files.length === 0) return say(scene, 'emptyProject');
  const readme = yield* readmeOf(scene, files, '');
  const facts = manifest.isError ? yield* otherFacts(scene, files) : packageFacts(packageObject(manifest));
  return paragraphs(
    headOf(scene, facts, readme),
    factRows(scene, facts, manifest),
    shapeOf(scene, files, { total, isProject: true }),
    readmeWords(scene, readme),
  );
}

function* explainFolder(scene: Scene, folder: string): Plan {
  const listing = yield* mustCall(scene, say(scene, 'listing'), globCall('**/*', folder));
  const { files, total } = parseFileList(listing.text);
  const place = placeWords(scene, folder);
  if (files.length === 0) return say(scene, 'noFiles', { label: '', place });
  const readme = yield* readmeOf(scene, files, `${folder}/`);
  return paragraphs(
    say(scene, 'folderHas', { place, n: total }),
    shapeOf(scene, files, { total, isProject: false }),
    readmeWords(scene, readme),
    readme === null ? say(scene, 'folderByNames') : null,
  );
}

interface Readme {
  readonly path: string;
  readonly title: string;
  readonly words: string;
}

function* readmeOf(scene: Scene, files: readonly string[], above: string): Plan<Readme | null> {
  const path = likeliest(
    files.filter((file) => /^readme(?:\.\w+)?$/i.test(file)),
    'README.md',
  );
  if (path === undefined) return null;
  const answer = yield* makeCall(scene, say(scene, 'reading', { path: `\`${above}${path}\`` }), readCall(`${above}${path}`));
  return answer.isError ? null : { path: `${above}${path}`, ...firstWords(parseFileView(answer.text)) };
}

function firstWords(view: FileView): { readonly title: string; readonly words: string } {
  const title = view.lines.find((line) => /^#\s+\S/.test(line))?.replace(/^#\s+/, '') ?? '';
  const blocks = view.lines.join('\n').split(/\n\s*\n/);
  const prose = blocks
    .map((block) => block.replace(/^#.*\n?/, '').trim())
    .find((block) => /^[\p{L}*_`"'[(]/u.test(block) && !/^\[!|^<|^\[\[/.test(block));
  return { title, words: (prose ?? '').replaceAll(/\s*\n\s*/g, ' ').slice(0, 400) };
}

interface Facts {
  readonly name: string | null;
  readonly version: string | null;
  readonly description: string | null;
  readonly dependencies: readonly string[];
  readonly test: string | null;
}

function packageFacts(manifest: JsonObject | null): Facts {
  const text = (key: string): string | null => (typeof manifest?.[key] === 'string' ? manifest[key] : null);
  const listed = manifest?.['dependencies'];
  const dependencies = isJsonObject(listed) ? Object.keys(listed) : [];
  return {
    name: text('name'),
    version: text('version'),
    description: text('description'),
    dependencies,
    test: scriptsOf(manifest).get('test') ?? null,
  };
}

function* otherFacts(scene: Scene, files: readonly string[]): Plan<Facts> {
  const path = ['pyproject.toml', 'Cargo.toml', 'go.mod', 'composer.json'].find((name) => files.includes(name));
  const none: Facts = { name: null, version: null, description: null, dependencies: [], test: null };
  if (path === undefined) return none;
  const answer = yield* makeCall(scene, say(scene, 'reading', { path: `\`${path}\`` }), readCall(path));
  if (answer.isError) return none;
  const { lines } = parseFileView(answer.text);
  const entries = entriesOf(path, lines, 1);
  const value = (key: string): string | null =>
    entries.find((entry) => entry.keys.at(-1) === key && !entry.isContainer)?.value ?? null;
  const name = value('name') ?? /^module\s+(\S+)/m.exec(lines.join('\n'))?.[1] ?? null;
  return { ...none, name, version: value('version'), description: value('description') };
}

function headOf(scene: Scene, facts: Facts, readme: Readme | null): string {
  const name = facts.name ?? readme?.title ?? null;
  if (name === null || name === '') return say(scene, 'projectUnnamed');
  const title = facts.version === null ? `**${name}**` : `**${name}** ${facts.version}`;
  return say(scene, facts.description === null || facts.description === '' ? 'projectNamed' : 'projectIs', {
    title,
    description: facts.description ?? '',
  });
}

function factRows(scene: Scene, facts: Facts, manifest: Answer): string | null {
  const rows = [
    facts.test === null ? null : say(scene, 'projectTest', { command: facts.test }),
    facts.dependencies.length === 0
      ? null
      : say(scene, 'projectDependencies', { n: facts.dependencies.length, names: listed(scene, facts.dependencies, 10) }),
    manifest.isError || facts.test !== null ? null : say(scene, 'projectNoTest'),
  ].filter((row) => row !== null);
  return rows.length === 0 ? null : rows.map((row) => `- ${row}`).join('\n');
}

// Glob lists only so many files; what is counted by their names is counted among those.
function shapeOf(
  scene: Scene,
  files: readonly string[],
  { total, isProject }: { readonly total: number; readonly isProject: boolean },
): string {
  const { folders, kinds, top } = folderSummary(files);
  const names = joined(
    scene,
    kinds.map(([name, count]) => `${name} × ${count}`),
    6,
  );
  const isPartial = total > files.length;
  const counts = folders.map(([name, n]) => say(scene, 'folderCount', { name, n }));
  const rows = [
    isProject && !isPartial ? say(scene, 'projectFiles', { n: total, kinds: names }) : null,
    isProject && isPartial ? say(scene, 'folderHas', { n: total, place: '' }) : null,
    isProject && !isPartial ? null : say(scene, 'kinds', { names }),
    folders.length === 0 ? null : say(scene, 'folders', { names: joined(scene, counts, 10) }),
    top.length === 0 ? null : say(scene, 'topFiles', { names: listed(scene, top, 12) }),
    isPartial ? say(scene, 'firstShown', { shown: files.length, rest: total - files.length }) : null,
  ].filter((row) => row !== null);
  return rows.map((row) => `- ${row}`).join('\n');
}

function readmeWords(scene: Scene, readme: Readme | null): string | null {
  return readme === null || readme.words === ''
    ? null
    : `${say(scene, 'readmeSays', { path: `\`${readme.path}\`` })}\n\n> ${readme.words}`;
}
