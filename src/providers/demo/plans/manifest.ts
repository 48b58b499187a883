import { isJsonObject, type JsonObject } from '../../../core/json-value.ts';
import type { Answer, Plan } from '../plan.ts';
import { parseFileList } from '../reading/file-list.ts';
import { type FileView, parseFileView } from '../reading/file-view.ts';
import { globCall, readCall, type Scene, say } from '../scene.ts';
import { likeliest } from './open-file.ts';
import { makeCall } from './steps.ts';

/** The file that says what a project is. */
export interface Manifest {
  readonly path: string;
  readonly view: FileView;
}

const OTHER_MANIFESTS = '{pyproject.toml,Cargo.toml,go.mod,composer.json,setup.cfg,deno.json,pom.xml,pubspec.yaml}';

/** Reads package.json, or another language's manifest where there is none; null where the project has neither. */
export function* openManifest(scene: Scene): Plan<Manifest | null> {
  const answer = yield* makeCall(scene, say(scene, 'readingManifest'), readCall('package.json'));
  if (!answer.isError) return { path: 'package.json', view: parseFileView(answer.text) };
  const others = yield* makeCall(scene, '', globCall(OTHER_MANIFESTS));
  const path = others.isError ? undefined : likeliest(parseFileList(others.text).files, 'pyproject.toml');
  if (path === undefined) return null;
  const read = yield* makeCall(scene, say(scene, 'reading', { path: `\`${path}\`` }), readCall(path));
  return read.isError ? null : { path, view: parseFileView(read.text) };
}

/** The object in a package.json that was read, or null. */
export function packageObject(answer: Answer): JsonObject | null {
  if (answer.isError) return null;
  try {
    const value: unknown = JSON.parse(parseFileView(answer.text).lines.join('\n'));
    return isJsonObject(value) ? value : null;
  } catch {
    // A package.json that is no JSON is as good as none here; the tools that need it will say so themselves.
    return null;
  }
}

/** The scripts of a package.json. */
export function scriptsOf(manifest: JsonObject | null): ReadonlyMap<string, string> {
  const scripts = manifest?.['scripts'];
  if (!isJsonObject(scripts)) return new Map();
  return new Map(
    Object.entries(scripts).flatMap(([name, command]) => (typeof command === 'string' ? [[name, command] as const] : [])),
  );
}
