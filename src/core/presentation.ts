import type { JsonSchema } from './json-schema.ts';
import { isJsonObject } from './json-value.ts';
import type { Tool, ToolSpec } from './tool.ts';

/** How tools are named to a model: `ReadFile` with absolute paths, or `read_file` with paths from the project root. */
export type ToolNames = 'PascalCase' | 'snake_case';

/** A tool as a model is told of it. `known` are the tools whose names its description may mention. */
export function presentTool(tool: Tool, known: readonly Tool[], toolNames: ToolNames): ToolSpec {
  const { category, isReadOnly, isDestructive } = tool;
  const facts = { category, isReadOnly, isDestructive };
  if (toolNames === 'PascalCase')
    return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema, ...facts };
  return {
    name: snakeCaseName(tool),
    description: presentText(tool.description, tool, known),
    inputSchema: presentSchema(tool, known),
    ...facts,
  };
}

/** The name a tool goes by in a presentation. */
export function presentedName(tool: Tool, toolNames: ToolNames): string {
  return toolNames === 'PascalCase' ? tool.name : snakeCaseName(tool);
}

/** Turns accepted spellings of keys into the tool's own, and arrays or objects sent as JSON text into what they say. Unknown keys stay, for the schema to name. */
export function canonicalInput(
  tool: Tool,
  input: unknown,
  { toolNames, cwd }: { readonly toolNames: ToolNames; readonly cwd: string },
): unknown {
  if (!isJsonObject(input)) return input;
  const aliases = new Map(Object.entries(tool.aliases?.keys ?? {}));
  const properties = new Map(Object.entries(tool.inputSchema.properties ?? {}));
  const entries = new Map(Object.entries(toolNames === 'snake_case' ? (tool.aliases?.snakeCaseDefaults ?? {}) : {}));
  for (const [key, value] of Object.entries(input)) {
    const own = properties.has(key) ? key : (aliases.get(key) ?? key);
    // A key under its own name wins over an alias of it.
    if (own !== key && Object.hasOwn(input, own)) continue;
    entries.set(own, parsedWhereJson(value, properties.get(own)));
  }
  // Models choose the keys: maps, since a key may be called constructor or __proto__.
  const renamed = Object.fromEntries(entries);
  return toolNames === 'snake_case' ? withAbsolutePaths(tool, renamed, cwd) : renamed;
}

function withAbsolutePaths(tool: Tool, input: Record<string, unknown>, cwd: string): unknown {
  for (const key of tool.aliases?.pathKeys ?? []) {
    const path = input[key];
    if (typeof path === 'string' && path !== '' && !/^[/~]/.test(path)) input[key] = resolveFrom(cwd, path);
  }
  return input;
}

function resolveFrom(cwd: string, path: string): string {
  const segments: string[] = [];
  for (const segment of `${cwd}/${path}`.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function parsedWhereJson(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== 'string' || (schema?.type !== 'array' && schema?.type !== 'object')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function snakeCaseName(tool: Tool): string {
  return tool.aliases?.snakeCase ?? tool.name;
}

function presentText(text: string, tool: Tool, known: readonly Tool[]): string {
  let presented = text;
  for (const other of known) presented = withWord(presented, other.name, snakeCaseName(other));
  for (const [key, shown] of Object.entries(tool.aliases?.snakeCaseKeys ?? {}))
    if (key.includes('_')) presented = withWord(presented, key, shown);
  return presented.replaceAll(/Absolute path of ([^.]+)\./g, 'Path of $1, absolute or relative to the project root.');
}

/** Replaces a name where it stands as a word of its own. A tool's name has no character that a regular expression would read. */
function withWord(text: string, word: string, replacement: string): string {
  return text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), () => replacement);
}

function presentSchema(tool: Tool, known: readonly Tool[]): JsonSchema {
  const names = new Map(Object.entries(tool.aliases?.snakeCaseKeys ?? {}));
  const defaults = new Map(Object.entries(tool.aliases?.snakeCaseDefaults ?? {}));
  const rename = (key: string): string => names.get(key) ?? key;
  const properties: Record<string, JsonSchema> = {};
  for (const [key, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
    const text = schema.description === undefined ? null : presentText(schema.description, tool, known);
    const described = defaults.has(key) ? text?.replace(/Default [^.]+\./, `Default ${String(defaults.get(key))}.`) : text;
    properties[rename(key)] = { ...schema, ...(described == null ? {} : { description: described }) };
  }
  const required = tool.inputSchema.required;
  return { ...tool.inputSchema, properties, ...(required === undefined ? {} : { required: required.map(rename) }) };
}
