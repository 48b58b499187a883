import { isJsonObject, type JsonObject } from '../../../core/json-value.ts';
import type { Plan } from '../plan.ts';
import { joined, paragraphs, readCall, type Scene, say, shown } from '../scene.ts';
import { escaped } from '../understanding/search-term.ts';
import type { DependencyTask } from '../understanding/task.ts';
import { packageObject } from './manifest.ts';
import { planSearch } from './search.ts';
import { makeCall } from './steps.ts';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Says whether package.json lists a package; where it does not, the files are searched for its name. */
export function* planDependency(scene: Scene, task: DependencyTask): Plan {
  const answer = yield* makeCall(scene, say(scene, 'readingManifest'), readCall('package.json'));
  const manifest = packageObject(answer);
  const path = shown(scene, 'package.json');
  const dependencies = manifest === null ? [] : dependenciesOf(manifest);
  // "Next.js" is the package next.
  const wanted = task.name.toLowerCase().replace(/\.js$/, '');
  const same = dependencies.filter(({ name }) => name === wanted || name.endsWith(`/${wanted}`) || name === `${wanted}js`);
  if (same.length > 0) return say(scene, 'dependencyUsed', { path, names: namesOf(scene, same) });
  const related = dependencies.filter(({ name }) => wanted.length > 2 && name.includes(wanted));
  if (related.length > 0) return say(scene, 'dependencyRelated', { path, name: task.name, names: namesOf(scene, related) });
  const found = yield* planSearch(scene, {
    intent: 'search',
    pattern: escaped(task.name),
    isRegex: false,
    ignoresCase: true,
    purpose: 'text',
    file: null,
    scope: { folder: null, glob: null },
  });
  const head = manifest === null ? 'dependencyNoManifest' : 'dependencyMissing';
  return paragraphs(say(scene, head, { path, name: task.name, n: dependencies.length }), found);
}

interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly section: string;
}

function dependenciesOf(manifest: JsonObject): readonly Dependency[] {
  return SECTIONS.flatMap((section) => {
    const listed = manifest[section];
    if (!isJsonObject(listed)) return [];
    return Object.entries(listed).map(([name, version]) => ({ name, version: String(version), section }));
  });
}

function namesOf(scene: Scene, dependencies: readonly Dependency[]): string {
  return joined(
    scene,
    dependencies.map(({ name, version, section }) => say(scene, 'dependencyRow', { name, version, section })),
  );
}
