import type { JsonObject } from '../../core/json-value.ts';
import type { ModelRequest } from '../../core/model.ts';
import type { ToolSpec } from '../../core/tool.ts';

const SNAKE_CASE_NAMES = {
  ReadFile: 'read_file',
  WriteFile: 'write_file',
  EditFile: 'patch_file',
  Bash: 'run_command',
  Glob: 'glob',
  Grep: 'search',
  GitStatus: 'git_status',
  GitDiff: 'git_diff',
} as const;

/** The tools that the demo model knows how to use, by their PascalCase names. */
export type ToolName = keyof typeof SNAKE_CASE_NAMES;

/** A call in the keys of the PascalCase presentation; paths may be relative to the project root. */
export interface Call {
  readonly tool: ToolName;
  readonly input: JsonObject;
}

/** A call as the offered tool takes it. */
export interface PresentedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** What the request offers, and where its files are. `root` is null where the system prompt does not say. */
export interface Toolbox {
  readonly offered: ReadonlyMap<ToolName, ToolSpec>;
  readonly root: string | null;
}

/** Reads the offered tools and the project root from a request. */
export function openToolbox(request: ModelRequest): Toolbox {
  const offered = new Map<ToolName, ToolSpec>();
  for (const spec of request.tools) {
    const name = toolNameOf(spec.name);
    if (name !== null) offered.set(name, spec);
  }
  return { offered, root: rootOf(request.system) };
}

/** The tool behind a name in either presentation, or null. */
export function toolNameOf(presented: string): ToolName | null {
  for (const [name, snakeCase] of Object.entries(SNAKE_CASE_NAMES)) {
    if (presented === name || presented === snakeCase) return name as ToolName;
  }
  return null;
}

/** Renders a call with the name, keys and paths of the presentation that is offered. */
export function presentCall(toolbox: Toolbox, call: Call): PresentedCall {
  const spec = toolbox.offered.get(call.tool);
  if (spec === undefined) throw new Error(`${call.tool} is not offered`);
  const isSnakeCase = spec.name !== call.tool;
  const properties = Object.keys(spec.inputSchema.properties ?? {});
  const input: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(call.input)) {
    const shown = shownKey(key, properties, isSnakeCase);
    if (shown === null) continue;
    input[shown] = key === 'path' && typeof value === 'string' && !isSnakeCase ? absolutePath(toolbox, value) : value;
  }
  return { name: spec.name, input };
}

/** A path from the file system's root; unchanged where the project root is not known. */
export function absolutePath(toolbox: Toolbox, path: string): string {
  if (toolbox.root === null || isAbsolute(path)) return path;
  const inside = resolveDots(path);
  return inside === '' ? toolbox.root : `${toolbox.root.replace(/[/\\]$/, '')}/${inside}`;
}

/** A path as people read it: from the project root where it lies below. */
export function shortPath(toolbox: Toolbox, path: string): string {
  const { root } = toolbox;
  const isBelow = root !== null && path.startsWith(`${root.replace(/\/$/, '')}/`);
  return isBelow ? path.slice(root.replace(/\/$/, '').length + 1) : path;
}

/** The keys of a call's input as the PascalCase presentation spells them. */
export function canonicalKeys(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [OTHER_SPELLINGS.get(key) ?? key, value]));
}

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  path: ['file_path', 'filePath', 'file'],
  pattern: ['query'],
  max_results: ['maxResults'],
  ignore_case: ['ignoreCase'],
  old_string: ['oldString', 'old_text'],
  new_string: ['newString', 'new_text'],
  replace_all: ['replaceAll'],
  timeout_ms: ['timeoutMs'],
};
const OTHER_SPELLINGS = new Map(
  Object.entries(SPELLINGS).flatMap(([own, others]) => others.map((other) => [other, own] as const)),
);
const REQUIRED_KEYS = new Set(['path', 'pattern', 'content', 'old_string', 'new_string', 'command']);
const SNAKE_CASE_KEYS = new Map([
  ['pattern', 'query'],
  ['max_results', 'maxResults'],
]);

// The schema that was offered decides; where it says nothing of a key, an optional one is left out, since unknown keys are refused.
function shownKey(key: string, properties: readonly string[], isSnakeCase: boolean): string | null {
  const known = [key, ...(SPELLINGS[key] ?? [])].find((spelling) => properties.includes(spelling));
  if (known !== undefined) return known;
  if (properties.length > 0 && !REQUIRED_KEYS.has(key)) return null;
  return isSnakeCase && properties.length === 0 ? (SNAKE_CASE_KEYS.get(key) ?? key) : key;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:[\\/])/.test(path);
}

function resolveDots(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (part !== '.' && part !== '') kept.push(part);
  }
  return kept.join('/');
}

function rootOf(system: string): string | null {
  const line = /^\W*(?:working directory|project root|cwd)\W*?:\s*`?([^\n`]+?)`?\s*$/im.exec(system);
  return line?.[1] ?? null;
}
